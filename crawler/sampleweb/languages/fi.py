"""Finnish: nouns in eleven cases, compounds, verbs of the first and third type, vowel harmony."""

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

_NOUNS = """
elokuva laulu taulu museo maalari näyttelijä runo sävel ooppera galleria laulaja teatteri
kirjailija |
yritys raha kauppias sopimus hallinto velka omistaja vero kassa johtaja tuote myyjä luotto |
ohjelma tietokone verkosto palvelin kuvaruutu koodi robotti muisti tiedosto käyttäjä sivusto
lisenssi |
lääkäri sairaala potilas hoitaja oire lihas lääke sydän rokotus tutkimus hermo vamma kuume |
talo keittiö tuoli sohva lamppu leipuri astia ovi puutarhuri matto uuni kattila peruna sipuli |
hallitus ministeri toimittaja uutinen eduskunta tuomari kokous laki kriisi äänestys lehdistö |
matkustaja saari järvi metsuri laiva hotelli vuori kylä silta satama joki leiri retki |
koulu opettaja oppilas kirja kirjasto sanasto luento kysymys tehtävä lukio essee kielioppi |
tutkija planeetta molekyyli kokeilu laboratorio ilmasto eliö atomi tulivuori energia teoria kivi |
kenkä hame paita koru hajuvesi tarjous asiakas lahja huivi kello takki kauppa lompakko |
perhe naapuri kirkko juhla suku yhteisö perinne kansalainen kaupunki museo talonpoika pappi |
pelaaja joukkue maali valmentaja juoksija kilpailu mitali stadion uimari pyörä hiihtäjä ottelu
"""
_HEADS = """
talo kirja koulu huone johtaja päivä kuva työ asia tuote ohjelma verkosto aika ryhmä sali juhla
laji
"""
_VERBS = """
puhu laula kysy sano maksa näyttä kirjoitta opetta rakenta käyttä löytä muista ratkaise tutki etsi
oppi leiki kasva neuvo hoita autta soitta voitta odotta johta seiso istu nouse valitse tarkista
julkaise kuuntele katsele ajattele opiskele työskentele suunnittele esittele keskustele kävele
harjoittele matkustele keräile ihaile arvostele esiinny ilmesty viihdy
"""
_VERBS_ATA = """
hal huom lup pel kerr kor mit arv kok seur tarj tap vast tark var kaip maal pakk luok
"""
_ADJECTIVES = """
hyvä iso uusi vanha suuri pieni nuori kaunis kova hiljainen tavallinen nopea hidas vihreä sininen
punainen ruskea keltainen harmaa valkoinen tärkeä helppo vaikea selkeä korkea matala leveä kapea
syvä lyhyt kylmä kuuma viileä kuiva märkä puhdas raikas terävä tylsä makea suolainen hapan kallis
halpa rikas köyhä terve sairas vahva heikko iloinen surullinen viisas rohkea ahkera laiska
ystävällinen mukava outo erilainen samanlainen yleinen yksityinen julkinen virallinen kansallinen
paikallinen kotimainen ulkomainen suomalainen pohjoinen eteläinen talvinen kesäinen syksyinen
päivittäinen vuotuinen nykyinen entinen tuleva aikainen myöhäinen lähinen kaukainen ylinen alinen
puinen kivinen kultainen hopeinen lasinen tieteellinen taiteellinen kaupallinen poliittinen
historiallinen perinteinen luonnollinen sosiaalinen
"""
_ADVERBS = """
usein aina joskus tänään eilen huomenna jo vielä täällä siellä hyvin melkein yleensä pian
äskettäin lopulta myös yhdessä nopeasti helposti ehkä heti sitten taas nyt hitaasti varmasti
"""
_NAME_STARTS = """
Kangas Kallio Koski Lahti Joki Ranta Niemi Salo Hakka Lehti Kivi Suo Pelto Haapa Honka Kuusi Koivu
Leppä Ala Ylä Uusi Vanha Iso Pikku Musta Valkea Puna Karhu Kala Hirvi Susi Peura Saari Harju Korpi
Raja
"""
_NAME_ENDS = "la nen järvi vaara kylä niemi salmi koski lahti joki saari suo harju"
_GRAMMAR = """
NOM: 4 AN? N | 2 tämä/se/tuo/jokainen AN? N | 2 NGEN N | AN NGEN N | NPRG N
GEN: 3 AG? NGEN | tämän/sen/meidän/heidän NGEN | NPRG
PAR: 3 AP? NPAR | 2 APP PPAR | tätä/sitä/jokaista NPAR | NGEN NPAR | NUM NPAR | 2 GEN PPAR
ACC: 3 AG? NGEN | 2 tämän/sen AG? NGEN | NPRG NGEN | 2 ANP? PN
NOMP: 3 ANP? PN | 2 nämä/ne/kaikki/useat/monet ANP? PN | NGEN PN
LOC: 3 AI? NINE | 2 AE? NELA | 2 AL? NADE | NABL | NALL | NILL | 3 PINE | PELA | PADE
  | NPRG NINE | 2 GEN PINE | tässä/jossakin NINE | tällä/omalla NADE | GEN NADE
PP: 5 LOC | 4 GEN kanssa/jälkeen/aikana/takana/edessä/vuoksi/mukaan/kautta/luona/alla | ilman PAR
  | vuonna YEAR | ennen PAR
V: 4 V3 | 3 VD | 2 ei VN | MAY VI | on VPP | oli VPP
VP: 4 V3P | 3 VDP | 2 eivät VN | MAYP VI | ovat VPPP
MAY: voi/saattaa/haluaa/aikoo/täytyy
MAYP: voivat/saattavat/haluavat/aikovat
CL: 4 NOM V PAR | 4 NOM V ACC LOC | 3 NOMP VP PAR | 3 NOMP VP ACC PP | 2 NOM on ADV AN
  | NOMP ovat APP
  | 2 LOC on PAR | PP V NOM | NOM , joka V PAR , V LOC | NOM V PAR ja PAR
CLX: 4 CL | 4 CL PP | 2 ADV CL | PP CL | CL ADV
S: 4 CLX PP | 5 CLX , koska/kun/vaikka/jos/sillä/mutta/joten CL | 4 CLX ja CL
  | 2 kun/jos/vaikka CL , CLX | 2 NOM V3 , että CLX | GEN mukaan CLX , eikä CL | CL ja CL , kun CL
T: miten NOM V PAR | N ja N LOC | PN LOC | miksi NOMP VP PAR | ANP PN GEN aikana | N vuonna YEAR
L: 3 PN | 3 ANP PN | NGEN N | PN ja PN | AN N | NPR
"""
# stems of the inflected forms that no rule gives
_ODD = {
    "ovi": "ove",
    "kivi": "kive",
    "joki": "joe",
    "laki": "lai",
    "saari": "saare",
    "vuori": "vuore",
    "uusi": "uude",
    "suuri": "suure",
    "pieni": "piene",
    "nuori": "nuore",
    "kuume": "kuumee",
    "sydän": "sydäme",
    "perhe": "perhee",
    "perinne": "perintee",
    "lääke": "lääkkee",
    "potilas": "potilaa",
    "lyhyt": "lyhye",
    "hidas": "hitaa",
    "kallis": "kallii",
    "kaunis": "kaunii",
    "puhdas": "puhtaa",
    "raikas": "raikkaa",
    "rikas": "rikkaa",
    "sairas": "sairaa",
    "hapan": "happame",
    "terve": "tervee",
    "tuote": "tuottee",
    "stadion": "stadioni",
    "palvelin": "palvelime",
    "ranta": "ranna",
    "lahti": "lahde",
    "pelto": "pello",
}
# quantity gradation, k and p and t after a long consonant, before a closed syllable
_WEAK = (
    (r"kk(?=[aeiouyäö]{1,2}$)", "k"),
    (r"pp(?=[aeiouyäö]{1,2}$)", "p"),
    (r"tt(?=[aeiouyäö]$)", "t"),
)
_CASES = {"NINE": "ssA", "NELA": "stA", "NADE": "llA", "NABL": "ltA", "NALL": "lle"}


def _harmony(word: str, suffix: str) -> str:
    """Put *suffix*, its A and U fitting the last vowels of *word*."""
    back = max(word.rfind(vowel) for vowel in "aou") > max(word.rfind(v) for v in "äöy")
    return word + suffix.replace("A", "a" if back else "ä").replace("U", "u" if back else "y")


def _stem(noun: str) -> str:
    """Return the strong vowel stem of *noun*."""
    for odd, stem in _ODD.items():
        if noun == odd or (noun.endswith(odd) and len(noun) > len(odd) + 2):
            return noun.removesuffix(odd) + stem
    if noun.endswith("nen"):
        return noun[:-3] + "se"
    if noun.endswith(("us", "ys")):
        return noun[:-1] + "kse"
    return noun


def _weak(stem: str) -> str:
    for pattern, by in _WEAK:
        stem = re.sub(pattern, by, stem)
    return stem


def _many(stem: str) -> str:
    """Return the plural stem, in i or j by what follows."""
    if stem.endswith(("ija", "ijä", "aja", "äjä")):
        return stem[:-1] + "i"
    if stem.endswith("a"):
        first = re.search("[aeiouyäö]", stem)
        return stem[:-1] + ("oi" if first and first[0] in "aei" else "i")
    if stem.endswith(("ä", "e", "i")):
        return stem[:-1] + ("ei" if stem.endswith("i") else "i")
    return stem + "i"


def _partitive(noun: str) -> str:
    stem = _stem(noun)
    if noun.endswith("nen"):
        return _harmony(stem[:-1], "tA")
    if noun.endswith(("us", "ys")):
        return _harmony(noun, "tA")
    return _harmony(stem, "tA" if stem[-2:] in ("aa", "ee", "ää", "ii") else "A")


def _partitive_plural(noun: str) -> str:
    stem = _many(_stem(noun))
    if len(stem) > 1 and stem[-2] in "aeiouyäö" and stem.endswith("i"):
        return _harmony(stem[:-1] + "j", "A")
    return _harmony(stem, "A")


def _illative(noun: str) -> str:
    stem = _stem(noun)
    return stem + ("seen" if stem[-2:] in ("aa", "ee", "ää") else stem[-1] + "n")


def _forms(nouns: Column) -> dict[str, Column]:
    weak = each(nouns, lambda noun: _weak(_stem(noun)))
    many = each(weak, _many)

    def case(suffix: str) -> Column:
        return each(weak, lambda stem: _harmony(stem, suffix))

    return {name: case(suffix) for name, suffix in _CASES.items()} | {
        "N": nouns,
        "NGEN": ending(weak, "n"),
        "NPAR": each(nouns, _partitive),
        "NILL": each(nouns, _illative),
        "PN": ending(weak, "t"),
        "PPAR": each(nouns, _partitive_plural),
        "PINE": each(many, lambda stem: _harmony(stem, "ssA")),
        "PELA": each(many, lambda stem: _harmony(stem, "stA")),
        "PADE": each(many, lambda stem: _harmony(stem, "llA")),
    }


def _adjectives() -> dict[str, Column]:
    forms = _forms(general(_ADJECTIVES))
    names = {
        "AN": "N",
        "AG": "NGEN",
        "AP": "NPAR",
        "ANP": "PN",
        "APP": "PPAR",
        "AI": "NINE",
        "AE": "NELA",
        "AL": "NADE",
    }
    return {ours: forms[theirs] for ours, theirs in names.items()}


def _long(stem: str) -> str:
    return stem + ("" if re.search("[aeiouyäö]{2}$", stem) else stem[-1])


def _past(stem: str) -> str:
    return (stem[:-1] if stem[-1] in "aäei" else stem) + "i"


def _infinitive(stem: str) -> str:
    if stem.endswith("itse"):
        return _harmony(stem[:-2], "A")
    if stem.endswith(("ele", "ile")):
        return _harmony(stem[:-1], "lA")
    return _harmony(stem[:-1], "tA") if stem.endswith(("ise", "use")) else _harmony(stem, "A")


def _verbs() -> dict[str, Column]:
    plain, contracted = general(_VERBS), general(_VERBS_ATA)
    past = each(plain, _past)
    return {
        "V3": each(plain, _long) + ending(contracted, "aa"),
        "V3P": each(plain, lambda stem: _harmony(stem, "vAt")) + ending(contracted, "aavat"),
        "VD": past + ending(contracted, "asi"),
        "VDP": each(past, lambda stem: _harmony(stem, "vAt")) + ending(contracted, "asivat"),
        "VN": each(plain, lambda stem: re.sub("tt(?=[aä]$)", "t", stem)) + ending(contracted, "aa"),
        "VI": each(plain, _infinitive) + ending(contracted, "ata"),
        "VPP": each(plain, lambda stem: _harmony(stem, "nUt")) + ending(contracted, "annut"),
        "VPPP": ending(plain, "neet") + ending(contracted, "anneet"),
    }


def _columns() -> dict[str, Column]:
    simple = topical(_NOUNS)
    heads = each(simple, lambda noun: _weak(_stem(noun)) + "n")
    nouns = simple + compound(heads, general(_HEADS))[:900]
    names = compound(general(_NAME_STARTS), general(_NAME_ENDS))
    return (
        _forms(nouns)
        | _adjectives()
        | _verbs()
        | {
            "ADV": general(_ADVERBS),
            "NPR": names,
            "NPRG": each(names, lambda name: _weak(_stem(name)) + "n"),
            "NUM": numerals(4, 90),
            "YEAR": numerals(1890, 2024),
        }
    )


def build() -> LanguageData:
    """Return the grammar and the columns of Finnish."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns())
