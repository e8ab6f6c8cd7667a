"""German: declined nouns and adjectives, weak verbs, closed compounds, place names."""

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

# a noun is written singular/plural, the plural by its ending; "^" puts an umlaut on the last vowel
_NOUNS_M = """
Maler/ Roman/e Film/e Tanz/^e Künstler/ Klang/^e Entwurf/^e Chor/^e Vers/e Vorhang/^e |
Markt/^e Vertrag/^e Kunde/n Gewinn/e Händler/ Betrieb/e Auftrag/^e Kredit/e Preis/e Lohn/^e |
Rechner/ Bildschirm/e Drucker/ Speicher/ Server/ Ordner/ Code/s Befehl/e Schlüssel/ Roboter/ |
Arzt/^e Muskel/n Schmerz/en Knochen/ Husten/ Patient/en Verband/^e Nerv/en Pfleger/ Zahn/^e |
Garten/^ Ofen/^ Teppich/e Tisch/e Topf/^e Keller/ Stuhl/^e Schrank/^e Löffel/ Apfel/^ |
Minister/ Bericht/e Skandal/e Richter/ Zeuge/n Streit/e Beschluss/^e Haushalt/e Ausschuss/^e
Sender/ |
Wanderer/ Hafen/^ Berg/e Strand/^e Koffer/ Fluss/^e Wald/^er Pfad/e Gast/^e Turm/^e |
Lehrer/ Schüler/ Aufsatz/^e Begriff/e Kurs/e Band/^e Text/e Satz/^e Lernstoff/e Katalog/e |
Planet/en Versuch/e Kristall/e Stern/e Käfer/ Forscher/ Vulkan/e Gletscher/ Stoff/e Kern/e |
Schuh/e Mantel/^ Ring/e Rabatt/e Laden/^ Schal/s Gutschein/e Stiefel/ Gürtel/ Hut/^e |
Nachbar/n Verein/e Brauch/^e Priester/ Bürger/ Glaube/n Feiertag/e Vorfahr/en Bauer/n Bund/^e |
Trainer/ Spieler/ Ball/^e Läufer/ Pokal/e Torwart/e Sieg/e Gegner/ Schläger/ Wettkampf/^e
"""
_NOUNS_F = """
Bühne/n Geige/n Melodie/n Skizze/n Galerie/n Oper/n Dichtung/en Sängerin/nen Farbe/n Leinwand/^e |
Firma/s Bank/en Rechnung/en Aktie/n Fabrik/en Steuer/n Ware/n Anlage/n Marke/n Messe/n |
Datei/en Tastatur/en Abfrage/n Leitung/en Software/s Datenbank/en Schnittstelle/n Seite/n Maus/^e
Taste/n |
Klinik/en Krankheit/en Impfung/en Salbe/n Therapie/n Allergie/n Apotheke/n Wunde/n Lunge/n Kur/en
|
Küche/n Suppe/n Lampe/n Decke/n Kerze/n Tür/en Zwiebel/n Treppe/n Pfanne/n Wohnung/en |
Zeitung/en Wahl/en Regierung/en Partei/en Meldung/en Krise/n Sitzung/en Umfrage/n Rede/n Grenze/n
|
Reise/n Insel/n Brücke/n Hütte/n Karte/n Küste/n Fähre/n Stadt/^e Quelle/n Herberge/n |
Schule/n Prüfung/en Bibliothek/en Frage/n Sprache/n Übung/en Lehre/n Aufgabe/n Vorlesung/en
Tafel/n |
Formel/n Messung/en Theorie/n Pflanze/n Zelle/n Welle/n Energie/n Wolke/n Probe/n Art/en |
Jacke/n Tasche/n Uhr/en Kette/n Bluse/n Lieferung/en Größe/n Brille/n Verpackung/en Hose/n |
Familie/n Kirche/n Gemeinde/n Feier/n Stiftung/en Hochzeit/en Tradition/en Gruppe/n Spende/n
Sitte/n |
Mannschaft/en Liga/s Meisterschaft/en Runde/n Niederlage/n Staffel/n Medaille/n Strecke/n Halle/n
Wertung/en
"""
_NOUNS_N = """
Bild/er Theater/ Lied/er Museum/s Gedicht/e Orchester/ Werk/e Motiv/e |
Geschäft/e Konto/s Büro/s Angebot/e Unternehmen/ Lager/ Kapital/e Gehalt/^er |
Programm/e Netz/e Kabel/ Gerät/e Fenster/ Passwort/^er System/e Verzeichnis/se |
Herz/en Medikament/e Fieber/ Krankenhaus/^er Rezept/e Gelenk/e Auge/n Gift/e |
Zimmer/ Haus/^er Brot/e Messer/ Gemüse/ Bett/en Glas/^er Dach/^er |
Gesetz/e Parlament/e Gericht/e Amt/^er Abkommen/ Gespräch/e Volk/^er Urteil/e |
Tal/^er Hotel/s Zelt/e Boot/e Dorf/^er Meer/e Schloss/^er Ufer/ |
Buch/^er Wort/^er Heft/e Fach/^er Kapitel/ Zeugnis/se Archiv/e Seminar/e |
Labor/s Insekt/en Teilchen/ Gestein/e Atom/e Mikroskop/e Klima/s Tier/e |
Kleid/er Hemd/en Paket/e Tuch/^er Leder/ Parfüm/s Schmuckstück/e Armband/^er |
Fest/e Denkmal/^er Kloster/^ Kind/er Paar/e Erbe/ Ehrenamt/^er Viertel/ |
Stadion/s Tor/e Rennen/ Spiel/e Fahrrad/^er Turnier/e Schwimmbad/^er Pferd/e
"""
_HEADS = """
M:plan/^e M:raum/^e F:arbeit/en N:buch/^er F:frage/n M:dienst/e N:haus/^er F:stelle/n M:bau/ten
N:recht/e F:zeit/en M:schutz/e N:feld/er F:reihe/n M:markt/^e F:kunst/^e N:mittel/ M:wert/e
F:gruppe/n N:wesen/ M:bereich/e F:ordnung/en N:zentrum/s
"""
_VERBS = """
acht arbeit beantrag bedeck begleit begrüß behandel bemerk benutz beobacht berühr besuch betracht
beurteil bewunder bezahl brauch deut dreh ehr entdeck entfern entwickel erforsch ergänz erklär
erklimm erledig erleb ermöglich ernt erreich ersetz erwart erwähn erzähl färb feier film folg
forder form frag führ gestalt glaub gründ heil hol hör kauf klär koch korrigier kritisier küss
lehr leit lern lieb liefer lob lös mach mal meist misch mut nenn notier nutz öffn ordn pack pfleg
plan präsentier prüf rat reinig reparier rett reservier sammel schätz schenk schick schilder
schmück schütz speicher spiel stärk stell stör stütz such tausch teil test träum trenn üb überprüf
überrasch überzeug unterricht untersuch veränder verbind verbesser verdien verfolg verkauf
verlänger vermiet veröffentlich verpack verstärk versteck verteidig verteil verwandel wähl warn
wechsel weck wiederhol wirk wünsch zahl zähl zeig zerleg zerstör zitier
"""
_ADJECTIVES = """
alt arm billig blau breit bunt deutlich dicht dick dünn echt ehrlich eigen einfach eng ernst fein
fest flach fleißig frei fremd freundlich frisch früh geduldig gelb genau gerecht gering gesund
glatt gleich groß grün gut hart hell herzlich hübsch jung kalt klar klein klug knapp kräftig krank
kurz lang langsam laut lebendig leer leicht leise mild modern müde mutig nah nass neu nützlich
öffentlich offen privat ruhig rund sanft sauber scharf schlicht schmal schnell schön schwach
schwarz schwer selten sicher spät stark steil still stolz streng süß tief treu trocken üblich voll
wahr warm weich weit wertvoll wichtig wild winzig zart zufrieden städtisch ländlich künstlich
natürlich heimlich kindlich amtlich beruflich friedlich gemütlich glücklich mündlich nördlich
östlich südlich westlich pünktlich
"""
_NEGATED = """
deutlich echt ehrlich frei freundlich geduldig genau gerecht gesund gleich klar klug nützlich
ruhig sauber scharf sicher treu üblich wahr wichtig zufrieden natürlich glücklich pünktlich
"""
_ADVERBS = """
oft immer heute gestern morgen bald schon noch vielleicht manchmal wieder gern kaum fast endlich
damals meistens leider sofort dort hier inzwischen offenbar trotzdem zunächst schließlich
"""
_NAME_STARTS = """
Alten Neu Ober Unter Nieder Hohen Wald Stein Rosen Birken Eichen Linden Kirch Mühl Grün Schön
Schwarz Weiß Roten König Bischof Wolfs Hirsch Falken Sand Salz Silber Sonnen Winter Oster Wester
Lang Breiten Tannen Buchen Erlen Brunn Burg Markt Heiligen
"""
_NAME_ENDS = """
berg burg dorf feld bach hausen heim stadt tal au rode see hof furt brück kirchen beck wald stein
ried
"""
_GRAMMAR = """
NOM: 3 der Q1? NM | 3 die Q1? NF | 3 das Q1? NN | ein AER? NM | eine AE? NF | ein AES? NN
  | NOM1 von NAME | die NF der GEN | der NM des NMG | das NN des NNG
NOM1: der Q1? NM | die Q1? NF | das Q1? NN | unser NM | seine AE NF | ihr NN
NPL: 4 die AEN? P | 2 viele/einige/alle/zwei/drei/mehrere AE? P | 2 NUM P | P und P
  | diese P aus NAME
GEN: Q1? NF | AEN? P | Q1? NF aus NAME
Q1: AE | sehr AE
AKK: 3 den AEN? NM | 3 die Q1? NF | 3 das Q1? NN | einen AEN NM | eine AE? NF
  | ein AES? NN | 3 die AEN P | 2 keine P | NUM P | seinen NM und ihre NF
DAT: 3 dem AEN? NM | 3 der AEN? NF | 3 dem AEN? NN | einem AEN? NM | einer AEN? NF
  | 3 den AEN? PD | NAME
PP: 6 in/mit/bei/nach/aus/vor/unter/hinter/neben/zwischen/seit/von/zu DAT | im Jahr YEAR | am NM
  | für/ohne/gegen/durch/um/über AKK | wegen/trotz/während der GEN
AUX: kann/soll/will/muss/darf/wird/möchte/könnte/würde
AUXP: können/sollen/wollen/müssen/dürfen/werden/möchten/könnten/würden
MID: 3 ADV? | 2 PP | nicht | auch ADJ
CL: 4 NOM VT MID? AKK | 3 NOM AUX AKK MID? VI | 2 NOM hat AKK MID? PT | NOM wird PP PT | NOM VD AKK
  | 4 NPL VI MID? AKK | 2 NPL AUXP AKK MID? VI | 2 NPL haben AKK PT | NPL werden PP PT | NPL VDP AKK
  | NOM ist ADJ und ADJ | NPL sind sehr ADJ | es gibt AKK PP
INV: ADV VT NOM AKK | PP VT NOM AKK | PP AUX NOM AKK VI | ADV haben NPL AKK PT | PP VDP NPL AKK
SUB: NOM AKK MID? VT | NPL AKK MID? VI | NOM AKK PT hat | NPL AKK VI AUXP | NOM ADJ ist | NOM AKK VD
KON: weil/dass/wenn/obwohl/während/nachdem/bevor/damit/da/ob/sobald
S: 4 CL , KON SUB | 3 CL und CL | 4 INV , KON SUB | 3 INV | 3 CL PP | CL , aber NOM VT AKK
  | KON SUB , VT NOM AKK | CL , um AKK zu VI | NOM , der AKK VT , AUX AKK PP VI
T: AE P und P | wie NOM AKK VT | NM und NF in NAME | die NF der GEN | AKK VI | NAME und die AEN P
L: 3 P | 3 AE P | NF und NM | P aus NAME | NAME | NN und P
"""
_UMLAUT = str.maketrans("aou", "äöü")


def _plural(noun: str) -> str:
    stem, _, suffix = noun.partition("/")
    if not suffix.startswith("^"):
        return (stem[:-1] if suffix == "s" and stem.endswith("a") else stem) + suffix
    last = max(stem.rfind(vowel) for vowel in "aou")
    if stem[last - 1 : last + 1] == "au":
        last -= 1
    return stem[:last] + stem[last].translate(_UMLAUT) + stem[last + 1 :] + suffix[1:]


def _singular(noun: str) -> str:
    return noun.partition("/")[0]


def _dative_plural(plural: str) -> str:
    return plural if plural.endswith(("n", "s")) else plural + "n"


def _genitive(noun: str) -> str:
    stem, _, suffix = noun.partition("/")
    if suffix in ("n", "en") and stem not in ("Auge", "Bett", "Hemd", "Insekt", "Muskel"):
        return stem + suffix
    return stem + ("es" if stem.endswith(("s", "ß", "z", "x", "d", "t")) else "s")


def _heads(gender: str) -> Column:
    return general(" ".join(head[2:] for head in _HEADS.split() if head.startswith(gender)))


def _link(noun: str) -> str:
    stem, _, suffix = noun.partition("/")
    if suffix == "nen":
        return stem + "nen"
    if stem.endswith(("ung", "ion", "keit", "heit", "schaft", "tät")):
        return stem + "s"
    return stem + "n" if stem.endswith("e") else stem


def _person(stem: str, suffix: str) -> str:
    if stem.endswith(("el", "er")) and suffix == "en":
        return stem + "n"
    hard = stem.endswith(("t", "d", "fn", "dn")) and suffix != "en"
    return stem + ("e" if hard else "") + suffix


def _participle(stem: str) -> str:
    fixed = stem.startswith(("be", "ent", "er", "ver", "zer", "über", "unter", "wieder"))
    foreign = stem.endswith("ier") and stem != "feier"
    return ("" if (fixed and stem != "ernt") or foreign else "ge") + _person(stem, "t")


def _verbs() -> dict[str, Column]:
    stems = general(_VERBS)
    return {
        "VI": each(stems, lambda stem: _person(stem, "en")),
        "VT": each(stems, lambda stem: _person(stem, "t")),
        "PT": each(stems, _participle),
        "VD": each(stems, lambda stem: _person(stem, "te")),
        "VDP": each(stems, lambda stem: _person(stem, "ten")),
    }


def _columns() -> dict[str, Column]:
    nouns = {"M": topical(_NOUNS_M), "F": topical(_NOUNS_F), "N": topical(_NOUNS_N)}
    first = each(nouns["F"] + nouns["N"] + nouns["M"], _link)
    full = {key: part + compound(first, _heads(key)) for key, part in nouns.items()}
    plurals = each([pair for part in zip(*nouns.values(), strict=False) for pair in part], _plural)
    plurals += each(compound(first, _heads("")[::2]), _plural)
    adjectives = general(_ADJECTIVES)
    adjectives += each(general(_NEGATED), lambda stem: "un" + stem)
    adjectives += ending(each(first, str.lower), "los")
    suffixes = ("e", "en", "er", "es")
    columns = {f"A{suffix.upper()}": ending(adjectives, suffix) for suffix in suffixes}
    return (
        columns
        | _verbs()
        | {
            "NM": each(full["M"], _singular),
            "NF": each(full["F"], _singular),
            "NN": each(full["N"], _singular),
            "NMG": each(full["M"], _genitive),
            "NNG": each(full["N"], _genitive),
            "P": plurals,
            "PD": each(plurals, _dative_plural),
            "ADJ": adjectives,
            "ADV": general(_ADVERBS),
            "NAME": compound(general(_NAME_STARTS), general(_NAME_ENDS)),
            "NUM": numerals(4, 90),
            "YEAR": numerals(1890, 2024),
        }
    )


def build() -> LanguageData:
    """Return the grammar and the columns of German."""
    repairs = ((r"\b(i)n dem\b", r"\1m"), (r"\b(v)on dem\b", r"\1om"), (r"\b(z)u dem\b", r"\1um"))
    return LanguageData(grammar=_GRAMMAR, columns=_columns(), repairs=repairs)
