"""Polish: nouns in seven cases where the form is regular, adjectives, verbs in -ać."""

from __future__ import annotations

import re

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
obraz koncert teatr wiersz rysunek pomnik utwór aktor malarz taniec film |
rynek kredyt bank towar zysk podatek sklepik rachunek budżet koszt handel |
program ekran serwer plik kod robot kabel dysk klucz procesor komputer |
lekarz szpital lek ból objaw zabieg pacjent zastrzyk nerw plaster mięsień |
ogród piec dywan garnek fotel talerz nóż chleb kubek piekarnik strych |
wyrok rząd spór protest dziennik senat wywiad sondaż poseł skandal minister |
port szlak hotel las plac zamek brzeg plecak turysta obóz pociąg |
uczeń zeszyt słownik egzamin podręcznik wykład tekst dyplom rozdział temat język |
atom wulkan owad kryształ pomiar klimat metal gatunek lodowiec minerał wzór |
płaszcz but prezent pierścionek kapelusz rabat katalog guzik szalik sklep krawat |
sąsiad obyczaj zakon festyn obrzęd pogrzeb ślub chrzest zwyczaj naród rolnik |
mecz trener turniej bramkarz zawodnik rower medal wyścig puchar basen stadion
"""
_NOUNS_F = """
scena gitara powieść melodia opera rzeźba kurtyna piosenka farba bajka |
firma fabryka faktura umowa cena spółka sprzedaż moneta reklama branża |
drukarka klawiatura strona pamięć aplikacja maszyna sieć baza kopia poczta |
klinika choroba recepta witamina rana dieta tabletka szczepionka grypa pomoc |
kuchnia lampa świeca zupa szafa łyżka kanapa cebula podłoga kołdra |
ustawa gazeta partia reforma granica debata ambasada kampania władza sprawa |
wyspa góra plaża rzeka walizka wioska dolina droga puszcza chata |
szkoła książka nauka lektura odpowiedź biblioteka tablica ocena rozprawa lekcja |
gwiazda planeta komórka teoria energia roślina fala galaktyka próba substancja |
sukienka koszula torba broszka kurtka paczka spódnica tkanina bluza czapka |
rodzina parafia tradycja wiara gmina legenda wspólnota uroczystość fundacja para |
drużyna liga rakieta meta bramka piłka porażka runda sztafeta trasa
"""
_NEUTERS = """
dzieło płótno pióro zdjęcie biuro konto złoto łącze hasło okno serce lekarstwo oko zdrowie mięso
mieszkanie biurko lustro łóżko prawo wojsko hasło państwo jezioro miasto morze drzewo pytanie
słowo pismo ćwiczenie zadanie światło ciało doświadczenie zjawisko futro ubranie pudełko lato
bractwo święto kazanie dziecko koło boisko zwycięstwo siodło
"""
_VERBS = """
badać biegać bywać chować czekać czytać dbać dodawać dobierać docierać dotykać działać grać
hamować kochać kopać korzystać kruszać kupować latać łapać machać mieszać mieszkać nadawać
naprawiać narzekać nazywać obchodzać oddawać odbierać odkładać odpowiadać odwiedzać oglądać
ogłaszać omawiać opisywać opuszczać otwierać oznaczać padać pamiętać pchać pływać poddawać podawać
podpisać podziwiać pokonywać pomagać poprawiać porównać posiadać powiększać powtarzać poznawać
pożyczać przebierać przekazać przyciągać przypominać pukać pytać rozdawać rozmawiać rozwijać
rozwiązać sięgać składać skracać słuchać spotykać sprawdzać sprzątać sprzedać stosować strzelać
szukać śpiewać tłumaczać trzymać ubierać uciekać udawać układać uprawiać usuwać używać wspierać
wracać wybierać wyciągać wydawać wygrać wyjaśniać wykonać wymagać wymieniać wyrażać wysyłać
zabierać zachowywać zadawać zaglądać zakładać zamawiać zamykać zapisać zapraszać zapewniać
zatrzymać zawierać zbierać zdobywać zgłaszać zmieniać zwiedzać żegnać
"""
_ADJECTIVES = """
dobry zły nowy stary młody mały duży wielki cichy głośny jasny ciemny ciepły zimny gorący suchy
mokry czysty brudny biały czarny czerwony zielony żółty niebieski szary długi krótki szeroki wąski
wysoki niski głęboki płytki ciężki lekki miękki twardy ostry słodki gorzki kwaśny świeży tani
drogi bogaty biedny zdrowy chory silny słaby szybki powolny spokojny nerwowy wesoły smutny mądry
głupi dzielny odważny uczciwy szczery wierny piękny brzydki ładny miły grzeczny ważny trudny
prosty łatwy ciekawy nudny dziwny zwykły rzadki częsty stały zmienny pełny pusty otwarty prywatny
wspólny własny obcy polski krajowy miejski wiejski leśny górski morski rzeczny letni zimowy
wiosenny jesienny dzienny nocny roczny dawny obecny przyszły wczesny późny bliski daleki lewy
prawy górny dolny środkowy główny boczny drewniany kamienny żelazny złoty srebrny szklany
papierowy naukowy szkolny sportowy domowy rodzinny ludowy kościelny
"""
_ADVERBS = """
często zawsze nigdy czasem dzisiaj wczoraj jutro już jeszcze tutaj tam bardzo prawie zwykle
wkrótce niedawno wreszcie również razem szybko dobrze łatwo chyba właśnie natychmiast
"""
_NAME_STARTS = """
Biał Borz Brzez Buk Dąb Dobr Dęb Gaj Gor Grab Jab Jan Jawor Jod Kalin Kam Kos Krak Lip Lub Ług Mal
Maj Mar Mił Mok Ols Piotr Rad Rak Rog Sad Sław Smol Sok Star Stani Tar Top Wis Wilcz Wrzos Zab Zar
"""
_NAME_ENDS = "ów owo owice in no ki nica any ogóra ówka iec ewo ynek owiec olas yce eń"
_GRAMMAR = """
NOM: 3 AM? NM | 3 AF? NF | 2 AN? NN | ten/każdy/nasz/pewien AM NM | ta/każda/nasza/pewna AF? NF
  | NM GEN | NF GEN | to/nasze NN GEN | NM z NAME
GEN: 3 AG? NMG | 3 AFG? NFG | 2 AG? NNG | 3 AP? PG | tego NMG | tej NFG | NAME
DAT: AD? NMD | AP? PD | AD NMD
ACC: 3 AM? NMA | 3 AFA? NFA | 2 AN? NN | 3 AN NPL | swój NMA | swoją/tę/każdą AFA? NFA | NUM PG
INS: 3 AI? NMI | 3 AFA? NFI | 2 AI? NNI | 3 API? PI
LOC: 3 AP? PL | swoich/tych/wielu PL
NOMP: 4 AN? NPL | te/nasze/niektóre/wszystkie AN? NPL | NPL GEN | NPL i NPL | NUM PG
PP: 3 w/na/o/po LOC | 3 do/od/dla/bez/z/obok/podczas/według/wśród/około GEN
  | 2 z/nad/pod/przed/za INS | przez/na/za ACC | dzięki/przeciw DAT | w YEAR roku
V: się VZ | 2 nie VZ | 5 VZ | 3 MAY VI | będzie VI
VP: 5 VZP | 2 nie VZP | 2 MAYP VI | będą VI | się VZP
MAY: 5 może/musi/chce/powinien/zaczyna | stara się
MAYP: mogą/muszą/chcą/powinny/próbują/zaczynają
CL: 3 NOM V ACC | 2 NM VL ACC PP? | 2 NF VLF ACC PP? | 2 NPL VLP ACC | 3 NOMP VP ACC
  | NM jest AM | NF jest AF i AF | NN było AN
  | 2 NOMP są AN i AN | NOM V DAT ACC | PP V NOM | ADV NM VL ACC
  | NOM , który/która VZ ACC , V PP
  | ACC VZ NOM
CLX: 4 CL | 4 CL PP | 2 ADV CL | PP CL | PART ACC , CL | zdaniem GEN CL
KON: bo/gdy/ponieważ/kiedy/chociaż/jeśli/zanim
S: 3 CLX PP | 4 CLX , KON CL | 3 CLX i CL | 2 CLX , ale CL | 2 SUB CL , CL PP | 2 NOM VZ , że CLX
  | CLX , a CL PP | CL , KON CL i CL
SUB: gdy/kiedy/jeśli/choć/skoro
T: jak VI ACC PP | NOM i NF GEN | NPL z GEN | dlaczego NOM VZ ACC | AN NPL dla GEN | NM w YEAR roku
L: 3 NPL | 3 AN NPL | NF GEN | NPL i NPL | AM NM | NAME
"""
_SOFT = ("cz", "sz", "rz", "ż", "c", "l", "j", "ś", "ć", "ń", "dz")
# the vowel that a stem loses before an ending
_FLEETING = ((r"ek$", "k"), (r"iec$", "c"), (r"taniec$", "tańc"), (r"eń$", "n"), (r"ień$", "ni"))


def _stem(noun: str) -> str:
    if noun == "turysta":
        return "turyst"
    if noun == "ogród":
        return "ogrod"
    for pattern, by in _FLEETING:
        if re.search(pattern, noun) and len(noun) > 4:
            return re.sub(pattern, by, noun)
    return noun.replace("nóż", "noż").replace("wzór", "wzor").replace("utwór", "utwor")


def _y(stem: str) -> str:
    """Put the ending -y, which is -i after k and g and -e after soft consonants, for a plural."""
    if stem.endswith(("k", "g", "i")):
        return stem.rstrip("i") + "i"
    return stem + ("e" if stem.endswith(_SOFT) else "y")


def _hard(stem: str, suffix: str) -> str:
    """Put an ending in e or y, with i between after k and g."""
    if stem.endswith(("k", "g")) and suffix[0] == "e":
        return stem + "i" + suffix
    return stem + ("i" + suffix[1:] if stem.endswith(("k", "g")) and suffix[0] == "y" else suffix)


def _bare(stem: str) -> str:
    """Return the genitive plural without ending, e between the last consonants when one is k."""
    if re.search(r"[^aeiouyąęó]k$", stem):
        return re.sub(r"[iń]?k$", "ek", stem)
    return stem + "i" if stem.endswith(("j", "l", "i")) else stem


def _masculine(nouns: Column) -> dict[str, Column]:
    stems = each(nouns, _stem)
    return {
        "NM": nouns,
        "NMA": nouns,
        "NMG": ending(stems, "u"),
        "NMD": ending(stems, "owi"),
        "NMI": each(stems, lambda stem: _hard(stem, "em")),
    }


def _feminine(nouns: Column) -> dict[str, Column]:
    stems = each(nouns, lambda noun: noun.removesuffix("a"))
    return {
        "NF": nouns,
        "NFG": each(stems, lambda stem: re.sub("e$", "i", _y(stem))),
        "NFA": ending(stems, "ę"),
        "NFI": ending(stems, "ą"),
    }


def _plurals(masculine: Column, feminine: Column, neuter: Column) -> dict[str, Column]:
    males = each(masculine, _stem)
    females = each(feminine, lambda noun: noun.removesuffix("a"))
    neuters = each(neuter, lambda noun: noun[:-1])
    stems = males + females + neuters
    full = [*each(males, _y), *each(females, _y), *ending(neuters, "a")]
    genitive = [*ending(males, "ów"), *each(females, _bare), *each(neuters, _bare)]
    return {
        "NPL": _shuffle(full),
        "PG": _shuffle(genitive),
        "PD": _shuffle(ending(stems, "om")),
        "PI": _shuffle(ending(stems, "ami")),
        "PL": _shuffle(ending(stems, "ach")),
    }


def _shuffle(column: Column) -> Column:
    third = len(column) // 3 + 1
    return [column[index] for start in range(third) for index in range(start, len(column), third)]


def _adjectives(plain: Column) -> dict[str, Column]:
    stems = each(plain, lambda adjective: adjective[:-1])
    suffixes = {
        "AM": "y",
        "AG": "ego",
        "AD": "emu",
        "AI": "ym",
        "AN": "e",
        "AP": "ych",
        "API": "ymi",
        "AF": "a",
        "AFA": "ą",
        "AFG": "ej",
    }

    def form(suffix: str) -> Column:
        return each(stems, lambda stem: _hard(stem, suffix))

    return {name: form(suffix) for name, suffix in suffixes.items()}


def _verbs(stems: Column) -> dict[str, Column]:
    suffixes = {
        "VZ": "a",
        "VZP": "ają",
        "VL": "ał",
        "VLF": "ała",
        "VLP": "ały",
        "VI": "ać",
        "PART": "ając",
    }
    return {name: ending(stems, suffix) for name, suffix in suffixes.items()}


def _columns() -> dict[str, Column]:
    stems = [(verb[:-2], home) for verb, home in general(_VERBS)]
    neuters = general(_NEUTERS) + ending(stems, "anie")
    males, females = topical(_NOUNS_M), topical(_NOUNS_F)
    adjectives = general(_ADJECTIVES) + ending(stems, "any")
    columns = _masculine(males) | _feminine(females) | _plurals(males, females, neuters)
    return (
        columns
        | _adjectives(adjectives)
        | _verbs(stems)
        | {
            "NN": neuters,
            "NNG": each(neuters, lambda noun: noun[:-1] + "a"),
            "NNI": each(neuters, lambda noun: _hard(noun[:-1], "em")),
            "ADV": general(_ADVERBS),
            "NAME": compound(general(_NAME_STARTS), general(_NAME_ENDS)),
            "NUM": numerals(5, 90),
            "YEAR": numerals(1890, 2024),
        }
    )


def build() -> LanguageData:
    """Return the grammar and the columns of Polish."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns())
