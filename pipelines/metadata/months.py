"""Names of months, as they stand in dates, and what they mean in the language of a page.

A name that is that of two months, as *listopada* is November in Polish and October in Croatian, is read where the
language is known, and else not at all. So are names that are words of other languages or surnames, too: those that
stand alone in Polish, Czech and Croatian, and short ones.
"""

from __future__ import annotations

from unicodedata import normalize

# January to December, apart by spaces: full names as they stand in dates, then short ones.
_NAMES = (
    # English, German, French, Spanish, Italian, Portuguese, Dutch
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner feber mär apr mai jun jul aug sept okt nov dez",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janv févr mars avr mai juin juil août sept oct nov déc",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "ene feb mar abr may jun jul ago sept oct nov dic",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "jan fev mar abr mai jun jul ago set out nov dez",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "jan feb mrt apr mei jun jul aug sep okt nov dec",
    # Polish, Czech, Croatian, Russian, Ukrainian, Greek
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "янв фев мар апр май июн июл авг сен окт ноя дек",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    (
        "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου "
        "νοεμβρίου δεκεμβρίου"
    ),
    "ιαν φεβ μαρ απρ μαϊ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
    # Swedish and Danish beside German, Turkish
    "januari februari mars april maj juni juli augusti september oktober november december",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    # Danish, Norwegian, Finnish, Romanian, Indonesian
    "januar februar marts april maj juni juli august september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    (
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
        "marraskuuta joulukuuta"
    ),
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "januari februari maret april mei juni juli agustus september oktober november desember",
    # Hungarian, Slovak, Slovenian, Bulgarian, Serbian
    "január február március április május június július augusztus szeptember október november december",
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",
    "януари февруари март април май юни юли август септември октомври ноември декември",
    "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
    # Catalan, Icelandic, Estonian, Lithuanian, Urdu
    "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
    "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
    "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر",
    # Arabic, also without hamzas; Hebrew
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر",
    "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
)
# Read in pages of the language alone.
_CROATIAN = (
    "siječanj veljača ožujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac",
    "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenog prosinca",
    "sij velj ožu tra svi lip srp kol ruj lis stu pro",
)
_OF_LANGUAGE = {
    "pl": (
        "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "sty lut mar kwi maj cze lip sie wrz paź lis gru",
    ),
    "cs": (
        "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec",
        "led úno bře dub kvě čvn čvc srp zář říj lis pro",
    ),
    "hr": _CROATIAN,
    "bs": _CROATIAN,
}


def _numbered(lines: tuple[str, ...]) -> dict[str, int]:
    """Return the number of the month that each name means; those of two months are left out."""
    found: dict[str, set[int]] = {}
    for line in lines:
        for place, name in enumerate(line.split()):
            found.setdefault(name, set()).add(place + 1)
    return {name: min(numbers) for name, numbers in found.items() if len(numbers) == 1}


MONTHS = _numbered(_NAMES)
_MONTHS_OF = {language: _numbered(lines) for language, lines in _OF_LANGUAGE.items()}

# Names whose vowels are marks of their own, or that have points: Thai, Hindi, Bengali.
_MARKED_NAMES = (
    "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
    "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितम्बर अक्तूबर नवम्बर दिसम्बर",
    "জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর",
)
MARKED_MONTHS = _numbered(tuple(normalize("NFC", line) for line in _MARKED_NAMES))


def month_number(name: str, language: str | None) -> int | None:
    """Return which month *name*, in small letters, is in *language*, as a page declares it; None: none, or unknown.

    >>> [month_number("listopada", language) for language in ("pl-PL", "hr", "de", None)]
    [11, 10, None, None]
    """
    primary = (language or "").lower().replace("_", "-").partition("-")[0]
    own = _MONTHS_OF.get(primary, {})
    # Small letters of the Turkish İ and I: "i" and a dot, and "i" for "ı".
    name = name.replace("i\u0307", "i")
    return own.get(name) or MONTHS.get(name) or MONTHS.get(name.replace("i", "ı"))
