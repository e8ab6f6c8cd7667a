"""Russian: nouns in six cases and both numbers, adjectives, verbs in -ать."""

from __future__ import annotations

from crawler.sampleweb.languages.lexicon import (
    Column,
    LanguageData,
    compound,
    each,
    ending,
    general,
    numerals,
    topical,
)

_NOUNS_M = """
роман концерт театр фильм портрет оркестр актёр танец рассказ хор ансамбль спектакль |
банк рынок товар кредит бюджет магазин доход налог договор завод клиент склад |
сервер экран файл код робот кабель диск процессор браузер монитор сигнал модуль |
врач симптом нерв диагноз пациент витамин вирус укол сустав рецепт аптекарь хирург |
дом стол диван ковёр нож хлеб суп сад чайник шкаф забор балкон |
закон министр депутат скандал протест журнал суд парламент митинг опрос выбор комитет |
порт лес остров город турист маршрут лагерь пляж поезд мост берег курорт |
урок учебник словарь студент экзамен институт ответ вопрос текст диплом класс предмет |
атом вулкан кристалл опыт климат металл прибор микроскоп спутник телескоп закон анализ |
костюм подарок шарф каталог ремень браслет зонт заказ плащ аромат карман свитер |
народ храм праздник сосед обычай монастырь музей фонд союз приход обряд памятник |
матч тренер турнир стадион рекорд чемпион велосипед бассейн спортсмен кубок сезон вратарь
"""
_NOUNS_F = """
картина сцена песня опера музыка гитара поэма скрипка рифма кисть |
фирма фабрика цена сделка биржа монета реклама покупка прибыль услуга |
программа страница машина почта таблица кнопка клавиша память сеть папка |
больница болезнь рана диета таблетка аптека вакцина травма операция кость |
кухня лампа свеча подушка стена комната ложка кастрюля крыша дверь |
газета партия реформа граница власть армия новость речь встреча проверка |
гора река дорога деревня палатка гостиница карта поездка пещера долина |
школа книга лекция задача глава тетрадь наука оценка доска библиотека |
звезда планета клетка теория энергия волна формула молекула частица проба |
рубашка сумка юбка куртка обувь скидка шляпа ткань посылка перчатка |
семья церковь традиция вера община свадьба легенда молодёжь улица беседа |
команда победа лига ракетка медаль дистанция лыжа гонка игра трасса
"""
_NEUTERS = """
искусство произведение изображение предприятие хозяйство производство приложение устройство
хранилище лекарство здоровье лечение питание окно помещение кресло одеяло правительство заседание
решение собрание путешествие море озеро побережье знание образование упражнение сочинение слово
исследование вещество явление растение платье украшение пальто ожерелье население общество
торжество поколение соревнование поражение расписание движение
"""
_VERBS = """
бросать бывать включать влиять возвращать возражать встречать вспоминать выбирать выделять
выполнять выпускать выражать вырастать делать добавлять добывать догонять доказывать допускать
достигать думать желать завершать загружать закрывать замечать занимать записывать заполнять
запускать защищать знать играть избегать изменять изучать исключать исполнять испытывать
исправлять кидать копать кусать ломать летать листать мешать мечтать наблюдать называть напоминать
нарушать наступать ожидать объединять объявлять объяснять ограничивать одевать описывать
определять освещать осматривать оставлять останавливать отвечать открывать отличать отмечать
отправлять оценивать передавать печатать повторять повышать поддерживать поднимать подписывать
показывать покупать получать помогать понимать попадать поздравлять посещать посылать появлять
предлагать представлять превращать привлекать признавать принимать приобретать приглашать
проверять продолжать производить пропускать просматривать работать развивать раздавать разделять
различать размещать разрешать рассказывать расширять решать рисовать скрывать слушать собирать
создавать сообщать сохранять спасать сравнивать считать терять украшать улучшать уменьшать
умножать уничтожать упоминать управлять успевать устанавливать учитывать читать
"""
_ADJECTIVES = """
новый старый молодой добрый злой белый чёрный красный жёлтый зелёный серый светлый тёмный тёплый
холодный горький сладкий кислый свежий солёный сухой мокрый чистый грязный длинный короткий
широкий узкий высокий низкий глубокий мелкий тяжёлый лёгкий мягкий твёрдый острый тупой быстрый
медленный спокойный нервный весёлый грустный умный глупый смелый честный верный красивый милый
важный трудный простой сложный интересный скучный странный обычный редкий частый постоянный полный
пустой открытый закрытый личный частный общий чужой русский местный городской сельский лесной
горный морской речной летный зимний дневной ночной годовой древний современный ранний поздний
далёкий близкий левый правый верхний нижний главный деревянный каменный железный золотой
серебряный стеклянный бумажный научный школьный спортивный домашний семейный народный церковный
военный мирный свободный дорогой дешёвый богатый бедный здоровый слабый сильный опасный полезный
вредный известный знаменитый тайный точный ясный крупный прекрасный
"""
_ADVERBS = """
часто всегда никогда иногда сегодня вчера завтра уже ещё здесь там очень почти обычно скоро
недавно наконец также вместе быстро хорошо легко вероятно именно сразу потом снова теперь
"""
_NAME_STARTS = """
Берез Бел Бор Бобр Вишн Волк Гор Голуб Дуб Ершов Ель Журавл Зайц Иван Камен Кузнец Клен Крас Лебед
Лес Лип Лук Мал Медвед Мельник Михайл Никит Нов Ольх Орл Павл Петр Руд Рыб Сад Семён Сокол Сосн
Степан Тар Тих Фёдор Черн Щукин Яблон Ясен
"""
_NAME_ENDS = "ово ин ск овка ка инск евка ное ец ики ище овск инец ая ы"
_GRAMMAR = """
NOM: 3 AM? NM | 3 AF? NF | 2 AN? NN | этот/каждый/наш/такой AM? NM | эта/каждая/наша/такая AF? NF
  | NM GEN | NF GEN | это/наше NN GEN | AM NM GEN
GEN: 3 AG? NMG | 3 AFG? NFG | 2 AG? NNG | 3 AP? PG | этого NMG | этой NFG | своих PG
DAT: AD? NMD | AFG? NFD | API NPD | своему NMD | этой NFD
ACC: 3 AM? NM | 3 AFA? NFA | 2 AN? NN | 3 AN1? NPL | свой AM? NM | свою/эту/каждую AFA? NFA | NUM PG
INS: 3 API? NMI | 3 AFG? NFI | 2 API? NNI | 2 AINP? PI
LOC: 3 AL? NML | 3 AFG? NFD | 2 AL? NNL | 2 AP? PL | своих/этих/многих PL | городе NAME
NOMP: 4 AN1? NPL | эти/наши/некоторые/все AN1? NPL | NPL GEN | NPL и NPL | NUM PG | AN1 NPL GEN
PP: 4 в/на/о/при LOC | 3 для/от/из/без/до/у/после/около/среди/против GEN
  | 2 с/над/под/перед/за INS | через/про/сквозь ACC | к/по DAT | в YEAR году
V: 5 VZ | 2 не VZ | 2 может/хочет/должен/будет/начинает VI
VP: 5 VZP | 2 не VZP | 2 могут/хотят/должны/будут/начинают VI
CL: 3 NOM V ACC | 2 NM VL ACC PP? | 2 NF VLF ACC PP? | 2 NPL VLP ACC | 3 NOMP VP ACC | NOM VZS INS
  | 2 NPL были AINP и AINP | NOM V DAT ACC | PP VZS NOM | ADV NM VL ACC | NM , который VZ ACC , V PP
  | NF , которая VZ ACC , V PP | GEN не было PP
CLX: 4 CL | 4 CL PP | 2 ADV CL | PP CL | PART ACC , CL | по словам GEN , CL
KON: что/когда/поскольку/хотя/если/где/пока
S: 3 CLX PP | 4 CLX , KON CL | 3 CLX и CL | 2 CLX , но CL | 2 SUB CL , CL PP | 2 NOM VZ , что CLX
  | CLX , а CL PP | CL , KON CL и CL
SUB: когда/если/хотя/пока
T: как VI ACC PP | NM и NF GEN | NPL для GEN | почему NOM VZ ACC | AN1 NPL GEN | NM в YEAR году
L: 3 NPL | 3 AN1 NPL | NF GEN | NPL и NPL | AM NM | NAME
"""
_VELAR = ("к", "г", "х", "ж", "ш", "щ", "ч")
# before their last letter the genitive plural has an о
_FLEETING = ("тк", "нк", "бк", "пк", "лк", "вк", "дк")
_MASCULINE = {"NMG": "ая", "NMD": "ую", "NMI": ("ом", "ем"), "NML": "ее"}
_MANY = {"NPD": ("ам", "ям"), "PI": ("ами", "ями"), "PL": ("ах", "ях")}


def _stem(noun: str) -> str:
    """Return the stem of a noun, marked with a last ь when it is soft."""
    for full, short in (("танец", "танц"), ("рынок", "рынк"), ("подарок", "подарк")):
        noun = noun.replace(full, short)
    noun = noun.replace("ковёр", "ковр").replace("кубок", "кубк").replace("посёлок", "посёлк")
    if noun.endswith(("а", "о")):
        return noun[:-1]
    return noun[:-1] + "ь" if noun.endswith(("я", "е", "ь")) else noun


def _end(stem: str, hard: str, soft: str) -> str:
    if stem.endswith("ь"):
        return stem[:-1] + soft
    if hard.startswith("ы") and stem.endswith(_VELAR):
        return stem + "и" + hard[1:]
    return stem + hard


def _with(nouns: Column, hard: str, soft: str) -> Column:
    return each(nouns, lambda noun: _end(_stem(noun), hard, soft))


def _feminine(nouns: Column) -> dict[str, Column]:
    third = {noun for noun, _ in nouns if noun.endswith("ь")}

    def case(hard: str, soft: str, other: str) -> Column:
        return each(nouns, lambda noun: _end(_stem(noun), hard, other if noun in third else soft))

    return {
        "NF": nouns,
        "NFG": case("ы", "и", "и"),
        "NFD": each(case("е", "е", "и"), lambda noun: noun.replace("ие", "ии")),
        "NFA": case("у", "ю", "ь"),
        "NFI": case("ой", "ей", "ью"),
    }


def _plural_genitive(noun: str) -> str:
    stem = _stem(noun)
    if noun.endswith(("ие", "ия")):
        return noun[:-1] + "й"
    if stem.endswith("ь") or (noun == stem and stem.endswith(_VELAR[3:])):
        return stem.removesuffix("ь") + "ей"
    if noun.endswith(("а", "о")):
        return stem[:-1] + "ок" if stem.endswith(_FLEETING) else stem
    return stem + "ов"


def _nouns(males: Column, females: Column, neuters: Column) -> dict[str, Column]:
    males_of = {name: _with(males, ends[0], ends[1]) for name, ends in _MASCULINE.items()}
    every = [pair for trio in zip(males, females, neuters, strict=False) for pair in trio]
    every += males[len(neuters) :] + females[len(neuters) :] + neuters[len(females) :]
    neuter = {noun for noun, _ in neuters}
    plural = each(
        every,
        lambda noun: _end(_stem(noun), *(("а", "я") if noun in neuter else ("ы", "и"))),
    )
    many = {name: _with(every, hard, soft) for name, (hard, soft) in _MANY.items()}
    return (
        males_of
        | _feminine(females)
        | many
        | {
            "NM": males,
            "NN": neuters,
            "NNG": _with(neuters, "а", "я"),
            "NNI": _with(neuters, "ом", "ем"),
            "NNL": each(neuters, lambda noun: noun[:-1] + ("и" if noun.endswith("ие") else "е")),
            "NPL": plural,
            "PG": each(every, _plural_genitive),
        }
    )


def _adjectives(plain: Column) -> dict[str, Column]:
    soft = {word for word, _ in plain if word.endswith("ний")}
    endings = {
        "AG": ("ого", "его"),
        "AD": ("ому", "ему"),
        "API": ("ым", "им"),
        "AL": ("ом", "ем"),
        "AF": ("ая", "яя"),
        "AFG": ("ой", "ей"),
        "AFA": ("ую", "юю"),
        "AN": ("ое", "ее"),
        "AN1": ("ые", "ие"),
        "AP": ("ых", "их"),
        "AINP": ("ыми", "ими"),
    }

    def form(hard: str, mild: str) -> Column:
        return each(
            plain, lambda word: word[:-2] + mild if word in soft else _end(word[:-2], hard, mild)
        )

    return {"AM": plain} | {name: form(hard, mild) for name, (hard, mild) in endings.items()}


def _verbs(stems: Column) -> dict[str, Column]:
    suffixes = {
        "VI": "ть",
        "VZ": "ет",
        "VZP": "ют",
        "VZS": "ется",
        "VL": "л",
        "VLF": "ла",
        "VLP": "ли",
        "PART": "я",
    }
    return {name: ending(stems, suffix) for name, suffix in suffixes.items()}


def _columns() -> dict[str, Column]:
    verbs = [(verb, home) for verb, home in general(_VERBS) if verb.endswith(("ать", "ять"))]
    stems = each(verbs, lambda verb: verb.removesuffix("ть"))
    neuters = general(_NEUTERS) + ending(stems, "ние")
    adjectives = general(_ADJECTIVES) + ending(stems, "емый") + ending(stems, "ющий")
    nouns = _nouns(topical(_NOUNS_M), topical(_NOUNS_F), neuters)
    return (
        nouns
        | _adjectives(adjectives)
        | _verbs(stems)
        | {
            "ADV": general(_ADVERBS),
            "NAME": compound(general(_NAME_STARTS), general(_NAME_ENDS)),
            "NUM": numerals(5, 90),
            "YEAR": numerals(1890, 2024),
        }
    )


def build() -> LanguageData:
    """Return the grammar and the columns of Russian."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns())
