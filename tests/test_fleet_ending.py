from __future__ import annotations

import random

import pytest

from crawler.fleet.ending import Ending, PageBudget


def state(**values):
    return {"idle": True, "out": 0, "activity": 0, "spent": 0, "limit": 0, "hungry": False} | values


def test_the_end_takes_two_looks_of_all():
    ending = Ending([0, 1])
    ending.note(0, state())
    assert ending.next_look() is None  # shard 1 was not heard of
    ending.note(1, state(out=1))
    assert ending.next_look() is None  # a record is on its way
    ending.note(1, state(activity=5))
    look = ending.next_look()
    assert look is not None
    assert ending.next_look() is None  # one at a time
    ending.note(0, state(), look)
    ending.note(1, state(activity=5))  # not an answer
    assert not ending.is_over
    ending.note(1, state(activity=5), look)
    assert ending.is_over


@pytest.mark.parametrize(
    "between", [state(activity=1), state(idle=False), state(out=1), state(activity=1, idle=False)]
)
def test_whatever_happens_between_the_looks_begins_anew(between):
    ending = Ending([0, 1])
    ending.note(0, state())
    ending.note(1, state())
    first = ending.next_look()
    ending.note(0, state(), first)
    ending.note(1, between, first)
    ending.note(1, state(activity=1), first)
    assert not ending.is_over
    second = ending.next_look()
    assert second != first
    ending.note(0, state(), first)  # late
    ending.note(0, state(), second)
    ending.note(1, state(activity=1), second)
    assert ending.is_over


def test_a_shard_that_is_gone_is_waited_for():
    ending = Ending([0, 1])
    for shard in (0, 1):
        ending.note(shard, state())
    look = ending.next_look()
    ending.forget(1)
    ending.note(0, state(), look)
    assert ending.next_look() is None
    ending.note(1, state())
    assert ending.next_look() not in (None, look)
    assert not ending.is_over


class Shard:
    """Has *n* pages, of which it fetches some at a time."""

    def __init__(self, n):
        self.n, self.spent, self.limit = n, 0, 0

    def work(self, rng):
        self.spent = min(self.limit, self.n, self.spent + rng.randrange(4))

    def state(self):
        is_spent = self.spent >= self.limit
        hungry = is_spent and self.n > self.spent
        idle = hungry or self.spent == self.n
        return state(idle=idle, spent=self.spent, limit=self.limit, hungry=hungry)


@pytest.mark.parametrize("seed", range(20))
def test_as_many_pages_are_fetched_as_the_limit_says(seed):
    rng = random.Random(seed)
    shards = [Shard(rng.randrange(60)) for _ in range(rng.randrange(1, 5))]
    limit = rng.randrange(1, 90)
    budget = PageBudget(limit, len(shards))
    for number, shard in enumerate(shards):
        budget.begin(number, shard.state())
    for _ in range(3000):
        for number, new in budget.grants(dict(enumerate(s.state() for s in shards))).items():
            shards[number].limit = max(new, shards[number].spent)
            if new < budget.granted[number]:
                budget.give_back(number, shards[number].state())
        shard = rng.choice(shards)
        shard.work(rng)
        assert sum(each.spent for each in shards) <= limit
        if rng.random() < 0.02:  # dies: it has what it spent
            shard.limit = shard.spent
            budget.begin(shards.index(shard), shard.state())
    assert sum(shard.spent for shard in shards) == min(limit, sum(shard.n for shard in shards))


def test_without_a_limit_nothing_is_granted():
    budget = PageBudget(0, 1)
    budget.begin(0, state())
    assert budget.grants({0: state(hungry=True)}) == {}
