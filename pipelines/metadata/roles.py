"""Words that stand where the name of an author should.

What an account or a person does at a site (*admin*, *staff writer*, *guest author*) names nobody, and is the same on
thousands of sites. A body of editors (*Redaktion*, *la rédaction*) is what readers are told, and what gold standards
have where nobody else signs: it is an author, but any person who is named is a better one.
"""

from __future__ import annotations

# In small letters.
_NOBODY = frozenset(
    {
        *("null", "none", "undefined", "unknown", "anonymous", "n/a", "true", "false", "no author"),
        # What Joomla and Discuz! write of their own.
        *("super user", "discuz! team and comsenz ui team"),
        # Accounts.
        *("admin", "administrator", "site admin", "siteadmin", "web admin", "webadmin", "sysadmin"),
        *("webmaster", "web master", "moderator", "user", "guest", "wordpress", "wp admin"),
        *("administrador", "administrateur", "amministratore", "beheerder", "yönetici", "админ"),
        *("администратор", "管理员", "管理員", "站长", "管理人", "管理者", "관리자", "المدير"),
        # Posts.
        *("staff", "staff writer", "staff writers", "staff reporter", "staff reporters"),
        *("staff author", "staff contributor", "staff correspondent", "staff editor"),
        *("editor", "the editor", "web editor", "site editor", "author", "the author"),
        *("writer", "reporter", "contributor", "contributors", "contributing writer", "columnist"),
        *("correspondent", "our correspondent", "special correspondent", "guest author"),
        *("guest writer", "guest contributor", "guest post", "guest blogger", "post author"),
        *("autor", "autorin", "redakteur", "redakteurin", "gast", "gastautor", "gastbeitrag"),
        *("auteur", "rédacteur", "invité", "webmestre", "redactor", "colaborador", "invitado"),
        *("autore", "redattore", "ospite", "convidado", "colaboradores", "redator", "redacteur"),
        *("gastauteur", "gość", "redaktor", "автор", "редактор", "гость", "editör", "misafir"),
        *("作者", "编辑", "小编", "编者", "責任編輯", "责任编辑", "本站", "匿名", "佚名", "編集者"),
        # Nobody, in other words.
        *("unbekannt", "anonym", "inconnu", "anonyme", "desconocido", "anónimo", "sconosciuto"),
        *("anonimo", "anônimo", "desconhecido", "onbekend", "anoniem", "nieznany", "аноним"),
    }
)
_DESKS = frozenset(
    {
        *(
            "editorial staff",
            "editorial team",
            "editorial board",
            "the editors",
            "editors",
            "editorial",
        ),
        *("news desk", "web desk", "newsroom", "news staff", "redaktion", "die redaktion"),
        *("online-redaktion", "onlineredaktion", "red.", "rédaction", "la rédaction", "redacción"),
        *("la redacción", "redazione", "la redazione", "redação", "a redação", "da redação"),
        *("redactie", "de redactie", "redaksjonen", "redaktionen", "toimitus"),
        *("redakcja", "redakce", "redakcia", "redakcija", "uredništvo", "szerkesztőség"),
        *("redacția", "редакция", "редакція", "σύνταξη", "haber merkezi", "编辑部", "編集部"),
    }
)


def is_nobody(name: str) -> bool:
    """Tell whether *name* is the role of an account or a person, who is not named.

    >>> is_nobody("Staff Writer"), is_nobody("Jane Staff")
    (True, False)
    """
    return name.casefold() in _NOBODY


def is_desk(name: str) -> bool:
    """Tell whether *name* is that of the editors of any site.

    >>> is_desk("Redaktion"), is_desk("The Daily Staff")
    (True, False)
    """
    return name.casefold() in _DESKS
