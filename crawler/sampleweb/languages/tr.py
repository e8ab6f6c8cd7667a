"""Turkish: agglutination with vowel harmony; nouns with case and possessive, verbs."""

from __future__ import annotations

from crawler.sampleweb.languages.lexicon import (
    Column,
    LanguageData,
    compound,
    each,
    general,
    numerals,
    topical,
)

_NOUNS = """
ressam müze şarkı roman sahne film tiyatro oyuncu heykel şair resim galeri orkestra yazar |
pazar şirket sözleşme müşteri bütçe fabrika fatura banka kredi yönetici maaş vergi ürün marka |
bilgisayar ekran dosya program yazılım klavye sunucu robot kablo şifre sayfa uygulama tarayıcı |
doktor hasta ilaç hemşire aşı kas kalp belirti tedavi kemik alerji yara eczane ateş |
ev mutfak bahçe halı pencere masa lamba yatak çorba tencere kapı perde kaşık soğan |
bakan gazete meclis seçim haber yasa kriz mahkeme tanık başkan oturum parti muhabir konuşma |
yolcu ada dağ liman otel orman göl kamp köprü sahil bavul köy nehir vadi |
öğretmen öğrenci okul kitap ders sözlük sınav soru kalem bölüm yazı üniversite tahta cümle |
gezegen yıldız atom deney hücre kristal böcek iklim volkan enerji bitki formül buzul maden |
ayakkabı elbise yüzük indirim gömlek çanta saat hediye şapka kumaş parfüm ceket sepet kemer |
aile komşu düğün bayram cami gelenek vakıf mahalle nine çiftçi topluluk tören anıt halk |
futbolcu takım kaleci hakem stadyum kupa madalya koşucu turnuva bisiklet havuz yarış gol sporcu
"""
_VERBS = """
yaz oku sev bak al ver gör bul tut kur kır aç kapat taşı çal dinle söyle anlat sor bekle izle iste
başla bitir getir götür gönder öğren öğret çalış düşün seç koru temizle yıka pişir hazırla topla
dağıt böl birleştir ayır kaldır indir yükselt azalt artır değiştir geliştir incele araştır tanı
tanıt ziyaret unut hatırla kullan kazan kaybet sakla göster açıkla belirle destekle engelle önle
planla düzenle kaydet yayınla eleştir karşılaştır onar süsle boya çiz ölç tart hesapla ödüllendir
kutla davet
"""
_ADJECTIVES = """
büyük küçük yeni eski genç yaşlı güzel çirkin uzun kısa geniş dar yüksek derin sığ ağır hafif sert
yumuşak sıcak soğuk kuru ıslak temiz kirli beyaz siyah kırmızı yeşil mavi sarı parlak koyu açık
kapalı dolu boş zengin fakir sağlam zayıf güçlü hızlı yavaş sakin sinirli mutlu üzgün akıllı cesur
korkak dürüst sadık önemli kolay zor basit karışık ilginç sıkıcı garip sıradan nadir sürekli özel
genel yerel ulusal uluslararası resmi günlük haftalık yıllık erken geç yakın uzak sağ sol üst alt
ana yan ahşap taş demir altın gümüş bilimsel sanatsal ticari siyasi tarihi geleneksel doğal
toplumsal ünlü tanınmış gizli kesin
"""
_ADVERBS = """
sık sık her zaman bazen bugün dün yarın artık hâlâ burada orada çok neredeyse genellikle yakında
sonunda birlikte hızla kolayca belki hemen sonra yine şimdi özellikle ayrıca
"""
_NAME_STARTS = """
Ak Kara Yeşil Kızıl Gök Sarı Boz Ala Yeni Eski Taş Kum Çam Kavak Söğüt Elma Kiraz Gül Demir Altın
Gümüş Bakır Kurt Koç Ay Gün Deniz Dere Kaya Uzun Bey Hisar
"""
_NAME_ENDS = "köy su dağ tepe kaya pınar ova dere bahçe yurt hisar burun göl taş yayla kale"
_GRAMMAR = """
Q: 3 A | bu/o/şu/her/bir A | 2 bu/o/şu/her/bazı/bir/birçok | NGEN | çok A bir
NOM: 3 Q? N | 3 NGEN NPOS | 2 A N | Q NPL | NPL | NAME adlı N
ACC: 4 Q? NACC | 3 NGEN NPACC | 2 A NPLACC | Q NPLACC | NUM NACC
DAT: 3 Q? NDAT | 2 NGEN NPDAT | A NPLDAT
LOC: 3 Q? NLOC | 3 NGEN NPLOC | A NPLLOC
ABL: 3 Q? NABL | 2 NGEN NPABL | NPLABL
PP: 4 LOC | 2 ABL | 2 DAT | Q? N ile/için/gibi | DAT göre/kadar/karşı/doğru
  | ABL sonra/önce/dolayı | YEAR yılında | N hakkında/üzerine
  | NGEN içinde/üzerinde/yanında/altında/arkasında
V: 4 VPR | 3 VDI | 2 VMIS | 2 VFUT | VNEG | VAOR | VDIP
CL: 4 NOM ACC V | 4 NOM PP ACC V | 3 NOM DAT ACC V | 2 NOM A ve A değil | NOM ADV ACC V
  | LOC Q N var
  | 2 VAN N PP ACC V | NOM VDIGI NACC V | PP NOM ACC V
SUBCL: 3 ACC VARAK | 3 ACC VIP | 2 NOM ACC VINCE | ACC VMAK için | ACC VKEN | NOM ACC VDIGI zaman
S: CL | 3 SUBCL CL | 4 CL ve CL | 3 CL , ama/fakat/çünkü/ancak/oysa CL | ADV , CL
  | 3 SUBCL , PP CL | 2 eğer/madem CL , CL | NOM ACC VDIGINI VDI ve CL | CL , ayrıca SUBCL CL
T: ACC VMAK için N | N ve N | NAME NPOS | neden NOM ACC VPR | A NPL ile NPL | NGEN NPOS YEAR
L: 3 NPL | 3 A NPL | NGEN NPOS | N ve N | NAME | A N
"""
_VOWELS = "aıoueiöü"
# the last vowel of a word decides on the A and the I of an ending
_WIDE = dict(zip(_VOWELS, "aaaaeeee", strict=True))
_NARROW = dict(zip(_VOWELS, "ııuuiiüü", strict=True))
_VOICELESS = "fstkçşhp"
_SOFTENED = {"k": "ğ", "p": "b", "ç": "c"}
# an ending by form: A and I harmonise, D is t after a voiceless consonant, a letter in
# parentheses stands only after a vowel
_CASES = {
    "NACC": "(y)I",
    "NDAT": "(y)A",
    "NLOC": "DA",
    "NABL": "DAn",
    "NGEN": "(n)In",
    "NPL": "lAr",
    "NPLACC": "lArI",
    "NPLDAT": "lArA",
    "NPLLOC": "lArdA",
    "NPLABL": "lArdAn",
    "NPOS": "(s)I",
    "NPACC": "(s)InI",
    "NPDAT": "(s)InA",
    "NPLOC": "(s)IndA",
    "NPABL": "(s)IndAn",
}
_TENSES = {
    "VDI": "DI",
    "VDIP": "DIlAr",
    "VMIS": "mIş",
    "VFUT": "(y)AcAk",
    "VNEG": "mAdI",
    "VAOR": "mAz",
    "VAN": "(y)An",
    "VDIGI": "DIğI",
    "VDIGINI": "DIğInI",
    "VARAK": "(y)ArAk",
    "VIP": "(y)Ip",
    "VINCE": "(y)IncA",
    "VMAK": "mAk",
    "VKEN": "mAktAyken",
}


def _attach(word: str, suffix: str) -> str:
    """Put *suffix* to *word* letter by letter."""
    for letter in _buffered(word, suffix):
        last = next((char for char in reversed(word) if char in _VOWELS), "e")
        if letter == "A":
            word += _WIDE[last]
        elif letter == "I":
            word += _NARROW[last]
        elif letter == "D":
            word += "t" if word[-1] in _VOICELESS else "d"
        else:
            word += letter
    return word


def _buffered(word: str, suffix: str) -> str:
    if not suffix.startswith("("):
        return suffix
    return suffix[1] + suffix[3:] if word[-1] in _VOWELS else suffix[3:]


def _noun(word: str, suffix: str) -> str:
    many = sum(char in _VOWELS for char in word) > 1
    if suffix.startswith("(") and many and word[-1] in _SOFTENED:
        word = word[:-1] + _SOFTENED[word[-1]]
    return _attach(word, suffix)


def _progressive(stem: str) -> str:
    if stem[-1] in "aeıi":
        stem = stem[:-1]
    return _attach(stem, "Iyor")


def _derived(column: Column, suffix: str) -> Column:
    return each(column, lambda stem: _attach(stem, suffix))


def _inflected(nouns: Column, suffix: str) -> Column:
    return each(nouns, lambda noun: _noun(noun, suffix))


def _columns() -> dict[str, Column]:
    simple = topical(_NOUNS)
    nouns = simple + _derived(simple, "lIk") + _derived(simple, "cI")
    verbs = general(_VERBS)
    cases = {name: _inflected(nouns, suffix) for name, suffix in _CASES.items()}
    tenses = {name: _derived(verbs, suffix) for name, suffix in _TENSES.items()}
    return (
        cases
        | tenses
        | {
            "N": nouns,
            "VPR": each(verbs, _progressive),
            "A": general(_ADJECTIVES) + _derived(simple, "lI") + _derived(simple, "sIz"),
            "ADV": general(_ADVERBS),
            "NAME": compound(general(_NAME_STARTS), general(_NAME_ENDS)),
            "NUM": numerals(4, 90),
            "YEAR": numerals(1890, 2024),
        }
    )


def build() -> LanguageData:
    """Return the grammar and the columns of Turkish."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns(), upper={"i": "İ"})
