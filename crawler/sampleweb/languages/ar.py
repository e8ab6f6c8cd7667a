"""Arabic: unvowelled; nouns with broken plurals and clitics, verbs by prefix and suffix."""

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

# singular/plural
_NOUNS_M = """
فنان/فنانين فيلم/أفلام متحف/متاحف مسرح/مسارح لحن/ألحان كاتب/كتاب شاعر/شعراء ممثل/ممثلين مشهد/مشاهد
|
سوق/أسواق بنك/بنوك تاجر/تجار عقد/عقود مصنع/مصانع ربح/أرباح سعر/أسعار مدير/مديرين مكتب/مكاتب |
برنامج/برامج حاسوب/حواسيب ملف/ملفات موقع/مواقع جهاز/أجهزة نظام/أنظمة خادم/خوادم هاتف/هواتف
رمز/رموز |
طبيب/أطباء مريض/مرضى دواء/أدوية قلب/قلوب مرض/أمراض عظم/عظام مستشفى/مستشفيات عرض/أعراض لقاح/لقاحات
|
بيت/بيوت مطبخ/مطابخ باب/أبواب طبق/أطباق كرسي/كراسي سرير/أسرة مصباح/مصابيح رغيف/أرغفة سقف/سقوف |
وزير/وزراء رئيس/رؤساء حزب/أحزاب خبر/أخبار قانون/قوانين مجلس/مجالس صحفي/صحفيين تقرير/تقارير
قاض/قضاة |
بحر/بحار جبل/جبال مسافر/مسافرين فندق/فنادق ميناء/موانئ جسر/جسور نهر/أنهار شاطئ/شواطئ طريق/طرق |
كتاب/كتب درس/دروس معلم/معلمين طالب/طلاب فصل/فصول سؤال/أسئلة قلم/أقلام بحث/أبحاث معجم/معاجم |
كوكب/كواكب نجم/نجوم عالم/علماء معدن/معادن مختبر/مختبرات حيوان/حيوانات غاز/غازات بركان/براكين
جزيء/جزيئات |
ثوب/أثواب حذاء/أحذية قميص/قمصان خاتم/خواتم عطر/عطور متجر/متاجر معطف/معاطف حزام/أحزمة طرد/طرود |
جار/جيران شيخ/شيوخ عيد/أعياد مسجد/مساجد شعب/شعوب فلاح/فلاحين جد/أجداد حي/أحياء عرس/أعراس |
لاعب/لاعبين ملعب/ملاعب هدف/أهداف فريق/فرق مدرب/مدربين حكم/حكام بطل/أبطال نادي/أندية سباق/سباقات
"""
_NOUNS_F = """
لوحة/لوحات أغنية/أغاني رواية/روايات قصيدة/قصائد صورة/صور موسيقى/موسيقات |
شركة/شركات تجارة/تجارات فاتورة/فواتير ضريبة/ضرائب عملة/عملات سلعة/سلع |
شاشة/شاشات شبكة/شبكات صفحة/صفحات كلمة/كلمات ذاكرة/ذاكرات رسالة/رسائل |
عيادة/عيادات وصفة/وصفات صيدلية/صيدليات حمية/حميات جراحة/جراحات إصابة/إصابات |
غرفة/غرف نافذة/نوافذ حديقة/حدائق وسادة/وسائد طاولة/طاولات ملعقة/ملاعق |
حكومة/حكومات صحيفة/صحف أزمة/أزمات جلسة/جلسات سفارة/سفارات حملة/حملات |
رحلة/رحلات جزيرة/جزر مدينة/مدن خيمة/خيام حقيبة/حقائب قرية/قرى |
مدرسة/مدارس جامعة/جامعات مكتبة/مكتبات لغة/لغات مقالة/مقالات نتيجة/نتائج |
خلية/خلايا طاقة/طاقات نظرية/نظريات تجربة/تجارب مادة/مواد موجة/موجات |
هدية/هدايا ساعة/ساعات حقيبة/حقائب قبعة/قبعات بضاعة/بضائع علامة/علامات |
عائلة/عائلات جماعة/جماعات عادة/عادات قبيلة/قبائل جمعية/جمعيات مناسبة/مناسبات |
مباراة/مباريات بطولة/بطولات كرة/كرات دراجة/دراجات ميدالية/ميداليات هزيمة/هزائم
"""
_VERBS = """
كتب درس فتح دخل خرج رسم سمع طلب عمل لعب نشر جمع حمل ذهب رجع زرع سكن شرب شرح شكر صنع ضرب طبخ عبر
عرض عرف غسل فحص فهم قطع كسر لبس لمس مسح منح نظر نقل هدم علم قدم نظم غير طور حدد شجع فضل قرر كرر
نفذ وزع حرك جرب حضر رتب شكل صدق صور فسر قسم كلف مثل نسق وقع ساعد شاهد شارك حاول واجه راقب قابل
ناقش حافظ سافر عالج غادر قارن ناسب وافق أرسل أعلن أكمل أخرج أصدر أدخل أظهر أثبت أنتج أنقذ أكرم
أغلق أدرك أكد أسس تعلم تكلم تقدم تحدث تذكر تسلم تعرف تغير تناول تبادل تجاهل تعامل استخدم استقبل
استعمل استخرج استهدف استبدل استكمل اكتشف اقترح انتظر اعتبر اشترك احتفل اختبر انتقد امتلك اعتمد
احترم ارتفع انتقل اكتسب
"""
_ADJECTIVES = """
جديد قديم كبير صغير جميل قبيح طويل قصير سريع بطيء قوي ضعيف غني فقير سعيد حزين ثقيل خفيف واسع ضيق
نظيف قريب بعيد بارد ساخن جاف رطب لذيذ مالح حلو عميق عريض رقيق غليظ هادئ عنيف صحيح سليم خطير بسيط
صعب سهل مهم مفيد نادر شائع عام خاص محلي دولي وطني عربي علمي فني سياسي تجاري طبي صحي رياضي مدرسي
عائلي منزلي تاريخي حديث تقليدي شعبي رسمي يومي شهري سنوي صيفي شتوي بحري جبلي زراعي صناعي غربي شرقي
شمالي جنوبي أصلي حقيقي طبيعي كامل ناقص مختلف متوسط مناسب ممتاز مشهور معروف مجهول مفتوح مغلق مكتوب
مطلوب محدود كريم بخيل شجاع جبان صادق أمين ذكي واضح غامض لطيف عجيب غريب عظيم شديد كثيف دقيق ثابت
متغير سابق لاحق أخير نهائي أساسي رئيسي ثانوي
"""
_ADVERBS = """
دائما أبدا أحيانا غالبا اليوم أمس غدا الآن هنا هناك أيضا قريبا أخيرا فجأة كثيرا قليلا حقا فقط
سابقا حاليا
"""
_NAME_STARTS = """
تل عين وادي بئر رأس كفر برج دير جبل باب خان حصن بيت مرج نبع
"""
_NAME_ENDS = """
الزيتون النخيل الرمان الحجر الذهب القمر الشمس الورد الريح الملح الرمل العسل التين الجوز الصقر
النسر الغزال الحمام السلام الكرم
"""
_GRAMMAR = """
SGM: 4 DNM | 3 DNM DAM | 3 NM DNM | 3 NM DNF | 2 هذا DNM | NM NAME | NM DNP | HM
  | DNM CM
SGF: 4 DNF | 3 DNF DAF | 3 NF DNM | 3 NF DNF | 2 هذه DNF | NF NAME | NF DNP | HF
  | DNF CF
PLN: 4 DNP | 3 DNP DAF | 2 هذه DNP | 2 بعض/جميع/معظم/كل DNP | NP DNF | NUM NM
  | كثير من DNP | 2 DNP CP | 2 HP
IND: 2 NM AM | 2 NF AF | 2 NP AF
O: 2 SGM | 2 SGF | 2 PLN | 2 IND
PP: 5 في/من/على/إلى/عن/مع/بعد/قبل/بين/تحت/فوق/أمام/حول/منذ/خلال/ضد/دون O | 2 PREM DAM | 2 PREF DAF
  | في عام YEAR | LM | BF | BP DAF
PREM: BM/LM
PREF: BF/LF
VM: 4 PASTM | 3 PRESM | سوف PRESM | لم PRESM | قد PASTM | كان PRESM | لا PRESM | SAM
VF: 4 PASTF | 3 PRESF | سوف PRESF | لم PRESF | قد PASTF | كانت PRESF | لا PRESF | SAF
CL: 4 VM SGM O | 4 VF SGF O | 3 VF PLN O | 3 VM SGM PP | 3 VF SGF O PP | SGM PRESM O | SGF PRESF O
  | 2 PLN PRESP O | 2 DNP الذين PASTP O PRESP PP
  | 2 كان SGM AM | إن SGM الذي PASTM O AM | إن SGF التي PASTF O AF | SGM AM PP | هناك IND PP
CLX: 4 CL | 4 CL PP | 2 ADV CL | CL ADV | PP CL | WM O PP
S: 3 CL PP | 3 CLX و CLX | 3 CLX لأن/حيث/عندما/بينما/حتى/كما CLX | 2 CLX ، لكن CL PP
  | 2 قال SGM إن SGM PRESM O PP | 2 عندما/إذا/بعدما/كلما CL ، CLX | 2 CLX WM SGM O
  | يجب أن PRESM SGM O PP | يمكن أن PRESF SGF O PP
T: كيف PRESM SGM O | SGM و SGF | NP DNF في NAME | لماذا PASTF SGF O | DNP DAF PP
  | NM DNM في عام YEAR
L: 3 DNP | 3 DNM DAM | 3 DNF DAF | NP DNF | NAME | DNM | NM DNM
"""
_REPAIRS = ((r"(^| )و ", r"\1و"), (r" ،", "،"))


def _singular(pair: str) -> str:
    return pair.partition("/")[0]


def _plural(pair: str) -> str:
    return pair.partition("/")[2]


def _with(prefix: str, column: Column) -> Column:
    return each(column, lambda word: prefix + word)


def _owned(column: Column) -> Column:
    """Put each of the possessive pronouns to each noun."""
    stems = each(column, lambda word: word[:-1] + "ت" if word.endswith("ة") else word)
    return compound(stems, general("ه ها هم نا"))


def _present(past: str) -> str:
    return past[1:] if past[0] in "اأ" else past


def _verbs() -> dict[str, Column]:
    past = general(_VERBS)
    present = each(past, _present)
    return {
        "PASTM": past + ending(past, "ه") + ending(past, "ها"),
        "PASTF": ending(past, "ت") + ending(past, "ته") + ending(past, "تها"),
        "PRESM": _with("ي", present) + _with("ي", ending(present, "ه")),
        "PRESF": _with("ت", present) + _with("ت", ending(present, "ها")),
        "SAM": _with("سي", present),
        "SAF": _with("ست", present),
        "PASTP": ending(past, "وا") + ending(past, "وه") + ending(past, "وها"),
        "PRESP": _with("ي", ending(present, "ون")) + _with("ي", ending(present, "ونه")),
        "WM": _with("و", past) + _with("ف", past),
    }


def _columns() -> dict[str, Column]:
    males, females = topical(_NOUNS_M), topical(_NOUNS_F)
    plurals = each([pair for two in zip(males, females, strict=False) for pair in two], _plural)
    plurals += each(males[len(females) :], _plural)
    males, females = each(males, _singular), each(females, _singular)
    adjectives = general(_ADJECTIVES)
    places = compound(each(general(_NAME_STARTS), lambda word: word + " "), general(_NAME_ENDS))
    return _verbs() | {
        "NM": males,
        "NF": females,
        "NP": plurals,
        "DNM": _with("ال", males),
        "CM": _with("وال", males),
        "DNF": _with("ال", females),
        "CF": _with("وال", females),
        "DNP": _with("ال", plurals),
        "CP": _with("وال", plurals),
        "HP": _owned(plurals),
        "BP": _with("بال", plurals),
        "HM": _owned(males),
        "HF": _owned(females),
        "BM": _with("بال", males) + _with("كال", males),
        "BF": _with("بال", females) + _with("كال", females),
        "LM": _with("لل", males),
        "LF": _with("لل", females),
        "AM": adjectives,
        "AF": ending(adjectives, "ة"),
        "DAM": _with("ال", adjectives),
        "DAF": _with("ال", ending(adjectives, "ة")),
        "ADV": general(_ADVERBS),
        "NAME": places,
        "NUM": numerals(11, 90),
        "YEAR": numerals(1890, 2024),
    }


def build() -> LanguageData:
    """Return the grammar and the columns of Arabic."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns(), repairs=_REPAIRS)
