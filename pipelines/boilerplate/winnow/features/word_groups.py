"""Small groups of words that features count: function words, and what boilerplate talks of.

A word is known by its first eight bytes in UTF-8, ASCII letters small; one that begins with a Han,
Kana or Hangul character by its first six. Scripts with large letters beside ASCII are listed in both forms.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

_GROUPS = {
    "function": (
        # English, German, French, Spanish, Portuguese, Italian, Dutch
        "the of and to in a is that it was for on are as with his they at be this have from or had "
        "but not what all were we when your can there an which their if has been would who will "
        "der die das und den von zu mit sich des auf für ist im dem nicht ein eine als auch es an "
        "werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über so zum "
        "le la les et des en un du une que est pour qui dans par plus pas au sur ne se ce il sont "
        "avec son aux ses mais comme ou si leur elle nous vous cette été "
        "el los del las por con no una su para lo como más o pero sus le ya este sí porque "
        "esta entre cuando muy sin sobre "
        "não uma os dos na ao das mas foi ele tem seu sua ou ser quando muito há nos já também "
        "di che è per della il sono nel alla gli da non ha anche più i al dei "
        "het een van dat niet zijn op aan met voor er maar om hij ook dan bij "
        # Scandinavian, Polish, Czech, Turkish, Hungarian, Romanian, Finnish, Indonesian
        "och att som på är av för med till den det har inte jag ett og at til ikke som et jeg "
        "się na nie że jest od przez po jak tak ale czy są za "
        "že je jsem se jako pro ve bir bu ve için ile da de çok ama hogy egy az nem és și nu cu "
        "ja on ei että se yang dan itu dengan tidak untuk dari pada ini "
        # Russian, Ukrainian, Greek, Arabic, Hebrew
        "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне "
        "было вот от меня еще нет о из ему для это при или чем был и В На По Но И "
        "є та що до це які від й "
        "και το να του η της με που την από για τα στο των τον είναι στην οι θα τη ο ένα Η Ο Το "
        "في من على أن إلى ما هذا و عن التي الذي לא את של על זה הוא עם כי "
        "के में है की से को का और यह ने"
    ),
    "notice": (
        "copyright rights reserved privacy policy cookie cookies terms disclaimer impressum "
        "datenschutz agb legal conditions gdpr consent accept trademark licensed mentions légales "
        "aviso privacidad privacidade prywatności защищены права Copyright 版权 著作 免责 声明 备案 "
        "icp ©"
    ),
    "share": (
        "share tweet facebook twitter linkedin pinterest whatsapp reddit instagram youtube telegram "
        "print drucken imprimer teilen partager compartir condividi email e-mail bookmark digg "
        "delicious stumbleupon google+ rss feed поделиться Поделиться 分享 微信 微博 转发 收藏 点赞 "
        "like likes follow folgen suivre seguir"
    ),
    "comment": (
        "comment comments reply replies respond response responses kommentar kommentare "
        "commentaire commentaires comentario comentarios comentários commenti komentarz komentarze "
        "antworten répondre responder отзывы комментарии Комментарии комментариев Комментировать "
        "σχόλια Σχόλια 评论 回复 留言 发表 コメント 댓글 said says wrote schrieb reactie reacties "
        "kommentera yorum moderator flag report vote votes"
    ),
    "navigation": (
        "home contact about menu search skip next previous prev back top sitemap help faq index "
        "archive archives categories category tags startseite kontakt suche über accueil "
        "rechercher inicio contacto buscar zurück weiter главная Главная контакты поиск Поиск "
        "首页 上一 下一 返回 搜索 导航 联系 关于 目录 sections topics page pages site jobs careers"
    ),
    "related": (
        "related recommended popular trending latest recent more most read see also similar mehr "
        "weitere meistgelesen ähnliche lesen auch plus articles liés relacionados relacionadas más "
        "altri leggi похожие Похожие читайте Читайте также новости Новости 相关 推荐 热门 最新 "
        "更多 延伸 阅读 关注 czytaj zobacz też διαβάστε Διαβάστε posts stories headlines"
    ),
    "account": (
        "login log sign register signup subscribe subscription newsletter account password "
        "username join member anmelden registrieren abonnieren connexion inscription suscríbete "
        "abonnement войти Войти регистрация Регистрация 登录 注册 订阅 用户 密码 download app cart "
        "checkout buy add"
    ),
    "byline": (
        "by posted published updated author written von veröffentlicht aktualisiert uhr par publié "
        "por publicado am pm edt est gmt january february march april may june july august september "
        "october november december jan feb mar apr jun jul aug sep oct nov dec monday tuesday "
        "wednesday thursday friday saturday sunday ago minutes hours days januar februar märz mai "
        "juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre "
        "novembre décembre января февраля марта апреля мая июня июля августа сентября октября "
        "ноября декабря автор Автор 作者 来源 编辑 发布 记者 日期 时间 责任 photo image source credit"
    ),
    "advert": (
        "advertisement advertising advertise ad ads sponsored promoted anzeige werbung publicité "
        "publicidad реклама Реклама 广告 推广 reklama sponsor promotion deal deals offer"
    ),
}
GROUP_NAMES = tuple(_GROUPS)
N_SLOTS = 4096
MAX_BYTES = 8
# Of Han, Kana and Hangul two characters.
MAX_WIDE_BYTES = 6


class WordTable(NamedTuple):
    """Open addressing by the bytes of a word: ``key: uint64``, ``group: uint8``, from 1."""

    key: npt.NDArray[np.uint64]
    group: npt.NDArray[np.uint8]


def packed(word: str) -> int:
    """Return the key of *word*."""
    data = word.encode()
    size = MAX_WIDE_BYTES if 0xE3 <= data[0] <= 0xED else MAX_BYTES
    return int.from_bytes(data[:size], "little")


def slot_of(key: int) -> int:
    """Return the place where the search for *key* begins."""
    return (key * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> 52


@cache
def word_table() -> WordTable:
    """Return the table of all groups; a word of two groups is of the first."""
    key, group = np.zeros(N_SLOTS, np.uint64), np.zeros(N_SLOTS, np.uint8)
    for number, words in enumerate(_GROUPS.values(), 1):
        for word in words.split():
            slot = slot_of(packed(word))
            while key[slot] not in {0, packed(word)}:
                slot = (slot + 1) % N_SLOTS
            if not key[slot]:
                key[slot], group[slot] = packed(word), number
    return WordTable(key, group)
