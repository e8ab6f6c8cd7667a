"""Italian: regular verbs in -are in seven tenses, gender and number, joined prepositions."""

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
quadro museo pittore poema teatro cantante romanzo ritmo violino concerto ritratto disegno |
mercato contratto cliente affare mutuo salario fornitore prezzo credito magazzino bilancio
prestito |
programma schermo servizio messaggio codice motore cavo circuito documento dato robot tasto |
medico malato muscolo rimedio sintomo ospedale cuore polmone vaccino farmaco dente paziente |
giardino forno tetto coltello divano piatto armadio mobile formaggio pane pomodoro tappeto |
ministro giornale parlamento testimone dibattito governo giudice discorso conflitto voto partito
senato |
viaggiatore porto sentiero monte lago battello bosco ponte deserto fiume rifugio turista |
maestro alunno capitolo dizionario corso esame titolo testo libro saggio quaderno esercizio |
pianeta atomo microscopio vulcano insetto cristallo ghiacciaio clima metallo fossile laboratorio
seme |
vestito cappotto anello profumo saldo regalo pacco cappello negozio guanto catalogo tessuto |
vicino prete quartiere monumento cittadino contadino popolo mestiere nonno tempio battesimo orfano
|
giocatore portiere arbitro stadio pallone torneo corridore allenatore trofeo nuotatore campione
podio
"""
_NOUNS_F = """
pittura galleria melodia scena canzone danza chitarra novella commedia orchestra statua sinfonia |
azienda fattura fabbrica vendita moneta azione marca borsa tariffa banca impresa spesa |
tastiera stampante finestra macchina pagina rete memoria chiave copia cartella ricerca tecnologia
|
clinica malattia allergia ferita ricetta vitamina terapia febbre pillola influenza dieta cura |
cucina lampada candela coperta minestra porta cipolla tavola camera carota sedia parete |
elezione stampa legge crisi frontiera riforma protesta campagna seduta ambasciata notizia
inchiesta |
isola montagna spiaggia foresta locanda valigia costa cascata strada tenda riva crociera |
scuola biblioteca lezione domanda frase enciclopedia lettura nota lingua risposta prova pagella |
stella formula cellula teoria molecola energia specie pianta galassia onda misura scoperta |
gonna camicia giacca sciarpa taglia consegna cravatta collana etichetta scatola scarpa cintura |
famiglia chiesa festa tradizione usanza comunità parrocchia coppia generazione leggenda nonna
piazza |
corsa vittoria medaglia squadra racchetta sconfitta pista coppa stagione piscina gara partita
"""
_VERBS = """
accett accompagn acquist adott afferm aiut alz am ammir annunci apprezz arriv ascolt aspett
assaggi assicur attravers aument ball blocc calcol cambi cammin cant cattur cerc chiam colleg
comand compil compr conferm conserv consult control cont cucin cur desider disegn divent domand
don dur educ elimin entr esamin esplor evit fabbric ferm firm form fum funzion gir giudic grid
guard guid imit impar incontr indic inform ingrann insegn invent invit lanc lasc lavor lav legg
liber lod lott mand mangi mescol migliori mostr not nuot occup odi offert onor oper ordin organizz
osserv pag parl part pass pens pes piant port posteggi prepar present prest prov pubblic raccont
rallent recit regal registr respir rest ricord rifiut rilass ringrazi ripar rispett ritorn rub
salt salut salv sbagli scal scambi scart scus segnal separ sogn sper spieg spos stamp studi suon
super tagli telefon tir tocc torn trasform trov us vers viaggi visit vol vot
"""
_ADJECTIVES = """
alto basso bello piccolo lungo corto nuovo vecchio bianco nero rosso giallo freddo caldo pulito
sporco chiaro scuro secco umido ricco caro famoso pericoloso delizioso curioso generoso nervoso
prezioso silenzioso antico moderno lento rapido tranquillo serio sincero sano malato pieno vuoto
aperto chiuso stanco occupato preparato ampio stretto profondo diritto rotondo piatto raro strano
proprio pubblico privato segreto diretto esatto perfetto corretto distinto giusto buono cattivo
matto timido solido liquido classico magico storico politico medico tecnico economico elettrico
scientifico simpatico autentico romantico europeo americano vicino lontano umano urbano sereno
ameno leggero intero straniero duro puro maduro sicuro morbido pallido ruvido severo
"""
_INVARIANT = """
grande importante interessante brillante elegante costante recente paziente frequente differente
eccellente intelligente forte verde triste libero povero allegro enorme breve soave lieve fedele
gentile fragile difficile facile utile civile giovane celebre semplice felice dolce veloce
"""
_ADVERBS = """
sempre mai ieri oggi domani presto ancora forse quasi dopo allora anche qui inoltre adesso stasera
poi appena spesso ormai già soltanto
"""
_NAME_STARTS = """
Villa Monte Casa Torre Valle Ponte Fonte Campo Rocca Santa Pietra Acqua Castel Borgo Serra Colle
Pian Mira Bella Alta Rove Vero Pado Ferra Mode Berga Lodi Vigne Corte Selva Poggio
"""
_NAME_ENDS = """
nuova bianca rossa chiara mara verde lunga vecchia fiorita secca bella nara done rano letto nese
gnano tino sola stina
"""
_GRAMMAR = """
DM: 6 il | 3 un | questo/quel | ogni/qualche
DF: 6 la | 3 una | questa/quella | ogni/qualche
DMP: 6 i | 2 dei/questi/quei | i suoi | molti/alcuni/parecchi | NUM
DFP: 6 le | 2 delle/queste/quelle | le sue | molte/alcune/parecchie | NUM
SG: 4 DM NM | 4 DF NF | 3 DM NM AM | 3 DF NF AF | DM NM di NAME | NAME
  | 2 DF NF AF del NM | 2 DM NM della NF | il suo NM | la loro NF
PL: 3 DMP NMP | 3 DFP NFP | 3 DMP NMP AMP | 3 DFP NFP AFP | DMP NMP e DFP NFP | le NFP di NAME
  | 2 DMP NMP della NF | le NFP dei NMP
O: SG | PL
PREP: con/per/senza/verso/contro/tra/durante/sotto/sopra/dentro/oltre/secondo/presso
IN: 2 nel NM | 2 nella NF | sul NM | sulla NF AF | dal NM AM | dalla NF | nei NMP | alle NFP
  | dai NMP | sulle NFP AFP | al NM di NAME
PP: 3 PREP SG | 2 PREP PL | 5 IN | nel YEAR | grazie al NM di NAME
V3: 4 PRES | 3 IMP | 2 FUT | 2 PAS | COND | 2 ha PPM | aveva PPM | non PRES | sta PART
V3P: 4 PRESP | 3 IMPP | 2 FUTP | 2 PASP | CONDP | 2 hanno PPM | avevano PPM | non PRESP
  | stanno PART
MOD: può/deve/vuole/poteva/doveva/voleva/potrebbe
MODP: possono/devono/vogliono/potevano/dovevano/potrebbero
VP: 6 V3 MANNER? O | 2 MOD INF O | resta INV e INV PP | era molto INV con NAME | si PRES PP
VPP: 6 V3P MANNER? O | 2 MODP INF O | sono INVP e INVP PP | si PRESP PP
CL: 5 SG VP | 4 PL VPP | DM NM che V3 O VP | DF NF che SG V3 VP | ci sono NUM NFP PP | V3 O PP
CLX: 4 CL | 3 CL PP | 2 ADV , CL | PP , CL | dopo aver PPM O , CL
KON: perché/ma/e/quando/mentre/sebbene/dove/poiché
S: 5 CLX | 4 CL KON CL | 2 CLX , ma CL | 2 SUB CL , CL | 2 SG V3 che CL | per INF O , CLX
SUB: quando/se/poiché/mentre/siccome
T: come INF O PP | il NM e la NF di NAME | DFP NFP AFP PP | perché SG V3 O | INF O
  | i NMP della NF
L: 3 NMP | 3 NFP | NMP AMP | NFP AFP | NMP e NFP | NAME | NM di NAME
"""
_VOWEL = "(?=[aeiouAEIOU])"
_IMPURE = "(?=(?:s[bcdfglmnpqrtv]|z|gn|ps))"
_REPAIRS = (
    (rf"\b(i|de|ne|da|su|a)l {_IMPURE}", r"\1l lo "),
    (r"\b(de|ne|da|su|a)l lo ", r"\1llo "),
    (r"\bil lo ", "lo "),
    (rf"\bi {_IMPURE}|\bi {_VOWEL}", "gli "),
    (rf"\b(de|ne|da|su|a)i (?:{_IMPURE}|{_VOWEL})", r"\1gli "),
    (rf"\b(?:il|la) {_VOWEL}", "l'"),
    (rf"\b(de|ne|da|su|a)l(?:la)? {_VOWEL}", r"\1ll'"),
    (rf"\buna {_VOWEL}", "un'"),
)
_TENSES = {
    "PRES": ("a", "ano"),
    "IMP": ("ava", "avano"),
    "FUT": ("erà", "eranno"),
    "PAS": ("ò", "arono"),
    "COND": ("erebbe", "erebbero"),
}


def _hard(stem: str, suffix: str) -> str:
    """Put *suffix* to *stem*; c and g stay hard before e, a last i is lost before e and i."""
    if suffix[0] in "ei":
        if stem.endswith(("c", "g")):
            return stem + "h" + suffix
        stem = stem.removesuffix("i")
    return stem + suffix


def _feminine(adjective: str) -> str:
    return adjective[:-1] + "a" if adjective.endswith("o") else adjective


def _plural(word: str) -> str:
    if word.endswith(("io", "ie", "à")):
        return word[:-1] if word.endswith("io") else word
    if word.endswith("ico"):
        return word[:-1] + "i"
    changes = word.endswith(("ista", "ema", "amma", "eta", "o", "e"))
    return _hard(word[:-1], "i") if changes else word


def _plural_feminine(word: str) -> str:
    if word.endswith("a"):
        return _hard(word[:-1], "e") if word[-2] != "i" else word[:-1] + "e"
    return word[:-1] + "i" if word.endswith("e") and not word.endswith("ie") else word


def _open(nouns: Column) -> Column:
    return [(noun, home) for noun, home in nouns if noun.endswith(("o", "a")) and noun[-2] != "i"]


def _small(noun: str) -> str:
    return _hard(noun[:-1], "in") + noun[-1]


def _manner(adjective: str) -> str:
    if adjective.endswith(("le", "re")):
        return adjective[:-1] + "mente"
    return _feminine(adjective) + "mente"


def _verbs(stems: Column) -> dict[str, Column]:
    def form(suffix: str) -> Column:
        return each(stems, lambda stem: _hard(stem, suffix))

    columns = {"INF": form("are"), "PPM": form("ato"), "PART": form("ando")}
    for tense, (singular, plural) in _TENSES.items():
        columns |= {tense: form(singular), f"{tense}P": form(plural)}
    return columns


def _columns() -> dict[str, Column]:
    stems = general(_VERBS)
    males, females = topical(_NOUNS_M), topical(_NOUNS_F)
    males += ending(stems, "atore") + each(_open(males), _small)
    females += ending(stems, "atrice") + each(_open(females), _small)
    adjectives = general(_ADJECTIVES) + ending(stems, "ato")
    invariant = general(_INVARIANT) + ending(stems, "abile")
    masculine, feminine = adjectives + invariant, each(adjectives, _feminine) + invariant
    again = each(stems, lambda stem: "ri" + stem)
    return _verbs(stems + again) | {
        "NM": males,
        "NF": females,
        "NMP": each(males, _plural),
        "NFP": each(females, _plural_feminine),
        "AM": masculine,
        "AF": feminine,
        "AMP": each(masculine, _plural),
        "AFP": each(feminine, _plural_feminine),
        "INV": invariant,
        "INVP": each(invariant, _plural),
        "MANNER": each(general(_ADJECTIVES) + general(_INVARIANT), _manner),
        "ADV": general(_ADVERBS),
        "NAME": compound(general(_NAME_STARTS), general(_NAME_ENDS)),
        "NUM": numerals(4, 90),
        "YEAR": numerals(1890, 2024),
    }


def build() -> LanguageData:
    """Return the grammar and the columns of Italian."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns(), repairs=_REPAIRS)
