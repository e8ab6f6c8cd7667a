"""Own texts in the languages of the code pages, the encodings that each was written in, and bytes."""

from __future__ import annotations

import random
import unicodedata
from typing import TYPE_CHECKING

from crawler.page.encoding.charsets import charset_of

if TYPE_CHECKING:
    from crawler.page.encoding.charsets import Charset

TEXTS = {
    "af": "Môre gaan ons na die see toe. Die kinders sê hulle wil ’n sandkasteel bou en geëet word daar eers teen die aand. Dit reën nie, maar die wind waai en die water is koud. Oupa het geskryf dat hy die hoë berge van die Kaap mis en gou weer wil kom kuier by die familie.",
    "be": "Учора мы доўга хадзілі па старым горадзе і слухалі, як звіняць званы. Увечары пайшоў дождж, і вуліцы апусцелі. У маленькай кавярні каля ракі нам далі гарачай гарбаты з мёдам і хлеб. Гаспадар распавёў, што дом пабудаваў яго дзед яшчэ да вайны.",
    "bg": "Вчера дълго се разхождахме из стария град и слушахме камбаните. Вечерта заваля дъжд и улиците опустяха. В малкото кафене край реката ни дадоха горещ чай с мед и прясна баница. Стопанинът разказа, че къщата е построена от дядо му още преди войната.",
    "ca": "Ahir vam passejar molta estona pel barri antic i vam sentir les campanes de l’església. Al vespre començà a ploure i els carrers es van buidar. El propietari del cafè, que té més de vuitanta anys, ens explicà que això ho havia construït el seu avi amb força il·lusió.",
    "cs": "Včera jsme se dlouho procházeli starým městem a poslouchali zvony. Večer začalo pršet a ulice se vyprázdnily. V malé kavárně u řeky nám přinesli horký čaj s medem a čerstvý koláč. Majitel vyprávěl, že dům postavil jeho dědeček ještě před válkou a že střechu musí každý rok opravovat.",
    "cy": "Ddoe buom yn cerdded am oriau drwy’r hen dref ac yn gwrando ar y clychau. Dechreuodd hi fwrw glaw gyda’r nos. Roedd gŵr y tŷ yn sôn am ei dad-cu, a gododd y lle â’i ddwylo ei hun. Mae dŵr yr afon yn uchel o hyd, a’r dynion yn pysgota ym mhob tywydd; gwêl pawb ei fod yn hapus.",
    "da": "I går gik vi længe rundt i den gamle by og hørte på klokkerne. Om aftenen begyndte det at regne, og gaderne blev tomme. På den lille café ved åen fik vi varm te og æblekage med fløde. Ejeren fortalte, at huset blev bygget af hans bedstefar før krigen, og at døren aldrig bliver låst.",
    "de": "Gestern gingen wir lange durch die Altstadt und hörten den Glocken zu. Am Abend fing es an zu regnen, und die Straßen wurden leer. In dem kleinen Café am Fluss bekamen wir heißen Tee und Kuchen mit süßer Soße. Der Wirt erzählte, daß sein Großvater das Haus für die Müller gebaut hätte.",
    "el": "Χθες περπατήσαμε πολλή ώρα στην παλιά πόλη και ακούσαμε τις καμπάνες. Το βράδυ άρχισε να βρέχει και οι δρόμοι άδειασαν. Στο μικρό καφενείο δίπλα στο ποτάμι μας έφεραν ζεστό τσάι με μέλι. Ο ιδιοκτήτης μάς είπε ότι το σπίτι το έχτισε ο παππούς του πριν από τον πόλεμο.",
    "en": "Yesterday we walked for hours through the old town and listened to the bells. “It never rains here,” said the owner of the café – and then it did. The bill came to £12, which wasn’t much for two cups of tea, a naïve painting and the story of his grandfather’s house.",
    "eo": "Hieraŭ ni longe promenis tra la malnova urbo kaj aŭskultis la sonorilojn. Vespere ekpluvis kaj la stratoj iĝis malplenaj. En la eta kafejo ĉe la rivero oni alportis al ni varman teon kaj freŝan kukon. La mastro rakontis, ke lia avo konstruis la domon antaŭ la milito, ĉar li ŝatis la pejzaĝon.",
    "es": "Ayer caminamos durante horas por la ciudad antigua y oímos las campanas. ¿Quién iba a pensar que llovería así? En el pequeño café junto al río nos dieron té caliente con miel y pan del día. El dueño contó que su abuelo construyó la casa antes de la guerra y que mañana cumpliría cien años.",
    "et": "Eile jalutasime kaua mööda vanalinna ja kuulasime kellasid. Õhtul hakkas vihma sadama ja tänavad jäid tühjaks. Väikeses kohvikus jõe ääres toodi meile kuuma teed meega ja värsket kooki. Peremees rääkis, et maja ehitas tema vanaisa juba enne sõda ning et ükski öö pole siin külm.",
    "fa": "دیروز مدت زیادی در شهر قدیمی قدم زدیم و به صدای زنگ‌ها گوش دادیم. شب باران گرفت و خیابان‌ها خالی شد. در قهوه‌خانه کوچک کنار رودخانه برای ما چای داغ و نان تازه آوردند. صاحب خانه گفت که پدربزرگش این خانه را پیش از جنگ ساخته است.",
    "fi": "Eilen kävelimme pitkään vanhassa kaupungissa ja kuuntelimme kelloja. Illalla alkoi sataa, ja kadut tyhjenivät. Pienessä kahvilassa joen äärellä meille tuotiin kuumaa teetä ja tuoretta leipää. Isäntä kertoi, että talon rakensi hänen isoisänsä jo ennen sotaa ja että täällä yöt ovat hiljaisia.",
    "fr": "Hier nous avons marché longtemps dans la vieille ville et écouté les cloches. Le soir, il s’est mis à pleuvoir et les rues se sont vidées. Dans le petit café près du fleuve, on nous a apporté du thé brûlant et un gâteau. Le patron raconta que son grand-père avait bâti la maison à l’âge de vingt ans, où qu’il fût allé.",
    "ga": "Shiúil muid tríd an tseanchathair ar feadh i bhfad inné agus d’éist muid leis na cloig. Tráthnóna thosaigh sé ag cur báistí agus bhí na sráideanna folamh. Sa chaifé beag cois abhann tugadh tae te agus arán úr dúinn. Dúirt fear an tí gur thóg a sheanathair an teach roimh an gcogadh.",
    "he": "אתמול הלכנו שעות בעיר העתיקה והקשבנו לפעמונים. בערב התחיל לרדת גשם והרחובות התרוקנו. בבית הקפה הקטן ליד הנהר הביאו לנו תה חם עם דבש ועוגה טרייה. בעל הבית סיפר שאת הבית בנה סבא שלו עוד לפני המלחמה, ושבכל שנה צריך לתקן את הגג.",
    "hr": "Jučer smo dugo šetali starim gradom i slušali zvona. Navečer je počela kiša i ulice su opustjele. U maloj kavani uz rijeku donijeli su nam vrući čaj s medom i svježi kolač. Vlasnik je pričao da je kuću sagradio njegov djed još prije rata i da će krov uskoro trebati popraviti, možda već ove godine, kaže žena među gostima.",
    "hu": "Tegnap sokáig sétáltunk az óvárosban, és hallgattuk a harangokat. Este eleredt az eső, és kiürültek az utcák. A folyó melletti kis kávézóban forró teát hoztak mézzel és friss süteményt. A tulajdonos elmesélte, hogy a házat még a nagyapja építette a háború előtt, s a tetőt minden évben újra kell fedni, mert a szél erős és hűvös.",
    "is": "Í gær gengum við lengi um gamla bæinn og hlustuðum á klukkurnar. Um kvöldið fór að rigna og göturnar tæmdust. Á litla kaffihúsinu við ána fengum við heitt te og nýtt brauð. Eigandinn sagði að afi hans hefði byggt húsið fyrir stríð og að þakið þyrfti viðgerð á hverju ári.",
    "it": "Ieri abbiamo camminato a lungo nella città vecchia e ascoltato le campane. La sera cominciò a piovere e le strade si svuotarono. Nel piccolo caffè vicino al fiume ci portarono tè caldo e pane fresco. Il padrone raccontò che la casa l’aveva costruita suo nonno già prima della guerra, perché là c’è più luce.",
    "ja": "昨日は古い町を長いあいだ歩いて、鐘の音を聞きました。夕方には雨が降り出し、通りから人がいなくなりました。川のそばの小さなカフェで、熱いお茶と新しいケーキを出してもらいました。主人の話では、この家は戦争の前に祖父が建てたもので、屋根は毎年なおさなければならないそうです。",
    "ko": "어제 우리는 오래된 도시를 한참 동안 걸으며 종소리를 들었다. 저녁에는 비가 내리기 시작했고 거리는 텅 비었다. 강가의 작은 찻집에서 따뜻한 차와 갓 구운 빵을 내주었다. 주인은 이 집을 전쟁 전에 할아버지가 지었다고 이야기했다.",
    "lt": "Vakar ilgai vaikščiojome po senamiestį ir klausėmės varpų. Vakare pradėjo lyti, ir gatvės ištuštėjo. Mažoje kavinėje prie upės mums atnešė karštos arbatos su medumi ir šviežio pyrago. Šeimininkas pasakojo, kad namą dar prieš karą pastatė jo senelis ir kad stogą reikia taisyti kiekvienais metais, nes vėjai čia žiaurūs.",
    "lv": "Vakar mēs ilgi staigājām pa vecpilsētu un klausījāmies zvanos. Vakarā sāka līt, un ielas kļuva tukšas. Mazajā kafejnīcā pie upes mums atnesa karstu tēju ar medu un svaigu kūku. Saimnieks stāstīja, ka māju uzcēlis viņa vectēvs vēl pirms kara un ka jumts katru gadu jālabo, jo vējš šeit ir ļoti stiprs.",
    "mk": "Вчера долго шетавме низ стариот град и ги слушавме камбаните. Вечерта заврна дожд и улиците се испразнија. Во малото кафуле крај реката ни донесоа топол чај со мед и свежа погача. Газдата раскажуваше дека куќата ја изградил неговиот дедо уште пред војната, а ќерка му ѓа поправа.",
    "mt": "Ilbieraħ imxejna ħafna fil-belt il-qadima u smajna l-qniepen. Filgħaxija bdiet ix-xita u t-toroq tbattlu. Fil-kafè ż-żgħir ħdejn ix-xatt ġabulna te jaħraq u ħobż frisk. Is-sid qalilna li d-dar kien bnieha n-nannu tiegħu qabel il-gwerra u li s-saqaf għandu bżonn jissewwa kull sena, ċertament.",
    "nb": "I går gikk vi lenge rundt i gamlebyen og hørte på klokkene. Om kvelden begynte det å regne, og gatene ble tomme. På den lille kaféen ved elva fikk vi varm te og eplekake med fløte. Eieren fortalte at huset ble bygd av bestefaren før krigen, og at døra aldri blir låst; været er for dårlig.",
    "nl": "Gisteren liepen we uren door de oude stad en luisterden naar de klokken. ’s Avonds begon het te regenen en werden de straten leeg. In het kleine café aan de rivier kregen we hete thee en appeltaart. De eigenaar vertelde dat zijn opa het huis vóór de oorlog had gebouwd: één kamer voor België, één voor de zeeën.",
    "pl": "Wczoraj długo chodziliśmy po starym mieście i słuchaliśmy dzwonów. Wieczorem zaczęło padać i ulice opustoszały. W małej kawiarni nad rzeką podano nam gorącą herbatę z miodem i świeże ciasto. Właściciel opowiadał, że dom zbudował jego dziadek jeszcze przed wojną i że dach trzeba naprawiać każdej źle przezimowanej wiosny.",
    "pt": "Ontem caminhámos durante horas pela cidade antiga e ouvimos os sinos. À noite começou a chover e as ruas ficaram vazias. No pequeno café junto ao rio serviram-nos chá quente e pão com manteiga. O dono contou que a casa foi construída pelo avô antes da guerra e que não há ninguém que não a conheça, irmão.",
    "ro": "Ieri ne-am plimbat mult prin orașul vechi și am ascultat clopotele. Seara a început să plouă și străzile s-au golit. În mica cafenea de lângă râu ni s-a adus ceai fierbinte cu miere și prăjitură proaspătă. Stăpânul povestea că această casă a fost construită de bunicul său înainte de război și că ține încă.",
    "ru": "Вчера мы долго гуляли по старому городу и слушали колокола. Вечером пошёл дождь, и улицы опустели. В маленьком кафе у реки нам принесли горячий чай с мёдом и свежий пирог. Хозяин рассказал, что дом построил ещё его дед до войны и что крышу приходится чинить каждый год.",
    "sk": "Včera sme sa dlho prechádzali starým mestom a počúvali zvony. Večer začalo pršať a ulice sa vyprázdnili. V malej kaviarni pri rieke nám priniesli horúci čaj s medom a čerstvý koláč. Majiteľ rozprával, že dom postavil jeho starý otec ešte pred vojnou a že strechu musia každý rok opravovať, lebo vietor má veľkú silu.",
    "sl": "Včeraj smo se dolgo sprehajali po starem mestu in poslušali zvonove. Zvečer je začelo deževati in ulice so se izpraznile. V majhni kavarni ob reki so nam prinesli vroč čaj z medom in sveže pecivo. Lastnik je pripovedoval, da je hišo zgradil njegov ded že pred vojno in da je treba streho vsako leto popravljati.",
    "sq": "Dje ecëm gjatë nëpër qytetin e vjetër dhe dëgjuam këmbanat. Në mbrëmje filloi të bjerë shi dhe rrugët u zbrazën. Në kafenenë e vogël pranë lumit na sollën çaj të nxehtë me mjaltë dhe bukë të freskët. I zoti i shtëpisë tregoi se shtëpinë e kishte ndërtuar gjyshi i tij para luftës.",
    "sr": "Јуче смо дуго шетали старим градом и слушали звона. Увече је почела киша и улице су се испразниле. У малој кафани поред реке донели су нам врућ чај са медом и свеж колач. Домаћин је причао да је кућу саградио његов деда још пре рата и да ће кров ускоро морати да поправља.",
    "sv": "I går gick vi länge omkring i den gamla staden och hörde på klockorna. På kvällen började det regna och gatorna blev tomma. På det lilla kaféet vid ån fick vi varmt te och äppelkaka. Ägaren berättade att huset byggdes av hans farfar före kriget och att dörren aldrig är låst.",
    "th": "เมื่อวานนี้เราเดินเล่นในเมืองเก่าเป็นเวลานานและฟังเสียงระฆัง ตอนเย็นฝนเริ่มตกและถนนก็ว่างเปล่า ในร้านกาแฟเล็ก ๆ ริมแม่น้ำเขานำชาร้อนกับขนมมาให้เรา เจ้าของร้านเล่าว่าบ้านหลังนี้ปู่ของเขาสร้างไว้ก่อนสงครามและต้องซ่อมหลังคาทุกปี",
    "tr": "Dün eski şehirde uzun süre dolaştık ve çanları dinledik. Akşam yağmur başladı ve sokaklar boşaldı. Irmağın kıyısındaki küçük kahvede bize sıcak çay ve taze ekmek getirdiler. Ev sahibi, evi dedesinin savaştan önce yaptığını ve çatının her yıl onarılması gerektiğini anlattı.",
    "uk": "Учора ми довго гуляли старим містом і слухали дзвони. Увечері пішов дощ, і вулиці спорожніли. У маленькій кав’ярні біля річки нам принесли гарячий чай з медом і свіжий пиріг. Господар розповів, що будинок звів ще його дід до війни, ґанок — батько, а дах доводиться лагодити щороку. Їхня історія проста.",
    "vi": "Hôm qua chúng tôi đi bộ rất lâu trong khu phố cổ và nghe tiếng chuông. Buổi tối trời bắt đầu mưa và đường phố vắng người. Trong quán cà phê nhỏ bên bờ sông, người ta mang cho chúng tôi trà nóng và bánh ngọt. Ông chủ kể rằng ngôi nhà do ông nội xây trước chiến tranh.",
    "ar": "أمس مشينا طويلا في المدينة القديمة وسمعنا صوت الأجراس. في المساء بدأ المطر وخلت الشوارع من الناس. في المقهى الصغير قرب النهر قدموا لنا شايا ساخنا مع العسل وخبزا طازجا. قال صاحب البيت إن جده بنى هذا البيت قبل الحرب وإن السقف يحتاج إلى إصلاح كل سنة، فهل نعود غدا؟",
    "zh-hans": "昨天我们在老城里走了很久，听到了教堂的钟声。傍晚开始下雨，街道上没有人了。在河边的小咖啡馆里，他们给我们端来了热茶和新鲜的蛋糕。主人说，这座房子是他的祖父在战争以前建造的，屋顶每年都要修理。我们问他为什么不搬到城里去，他笑着说这里什么都有。",
    "zh-hant": "昨天我們在老城裡走了很久，聽到了教堂的鐘聲。傍晚開始下雨，街道上沒有人了。在河邊的小咖啡館裡，他們給我們端來了熱茶和新鮮的蛋糕。主人說，這座房子是他的祖父在戰爭以前建造的，屋頂每年都要修理。我們問他為什麼不搬到城裡去，他笑著說這裡什麼都有。",
}
# The languages that each encoding was made for.
LANGUAGES = {
    "windows-1252": "de fr es it pt nl sv da nb fi is ca sq af ga en",
    "iso-8859-15": "fr fi et de es nl",
    "macintosh": "de fr es it pt sv da nb is en",
    "windows-1250": "pl cs sk hu sl hr ro",
    "iso-8859-2": "pl cs sk hu sl hr ro",
    "iso-8859-16": "ro hr hu pl",
    "windows-1254": "tr",
    "iso-8859-3": "eo mt",
    "windows-1257": "lt lv et",
    "iso-8859-13": "lt lv et",
    "iso-8859-4": "lt lv et",
    "iso-8859-10": "lt is et",
    "iso-8859-14": "cy ga",
    "windows-1258": "vi",
    "windows-1251": "ru uk bg be mk sr",
    "koi8-r": "ru",
    "koi8-u": "uk ru be",
    "iso-8859-5": "ru bg mk sr be",
    "ibm866": "ru be",
    "x-mac-cyrillic": "ru uk bg mk sr",
    "windows-1253": "el",
    "iso-8859-7": "el",
    "windows-1255": "he",
    "iso-8859-8": "he",
    "iso-8859-8-i": "he",
    "windows-1256": "ar fa",
    "iso-8859-6": "ar",
    "windows-874": "th",
    "gbk": "zh-hans",
    "gb18030": "zh-hans zh-hant ko",
    "big5": "zh-hant",
    "euc-jp": "ja",
    "shift_jis": "ja",
    "iso-2022-jp": "ja",
    "euc-kr": "ko",
    "utf-8": "ru de ja ar th",
    "utf-16le": "ru de ja ar th",
    "utf-16be": "ru de ja ar th",
}
_TONES = "\u0300\u0301\u0303\u0309\u0323"
_CEDILLAS = str.maketrans("șțȘȚ", "şţŞŢ")


def known_charset(label: str) -> Charset:
    """Return the encoding that *label* means, which there is."""
    charset = charset_of(label)
    assert charset is not None, label
    return charset


def written(text: str, encoding: str) -> bytes:
    """Return the bytes of *text* as people wrote it in *encoding*, without what that lacks."""
    if encoding == "windows-1258":
        text = "".join(map(_with_tone_apart, text))
    elif encoding in {"windows-1250", "iso-8859-2"}:
        text = text.translate(_CEDILLAS)
    elif encoding == "windows-1256":
        text = text.replace("ی", "ي").replace("ک", "ك")
    elif encoding in {"windows-1251", "koi8-u"}:
        text = text.replace("’", "'")
    return text.encode(known_charset(encoding).codec, "ignore")


def _with_tone_apart(character: str) -> str:
    parts = unicodedata.normalize("NFD", character)
    base = "".join(part for part in parts if part not in _TONES)
    return unicodedata.normalize("NFC", base) + "".join(part for part in parts if part in _TONES)


def texts_of(encoding: str, n_chars: int, n_texts: int, seed: int = 3) -> list[str]:
    """Return texts of *n_chars* in the languages of *encoding*: sentences in random order."""
    source = random.Random(f"{encoding} {seed}")
    languages = LANGUAGES[encoding].split()
    return [_text(TEXTS[languages[i % len(languages)]], n_chars, source) for i in range(n_texts)]


def _text(text: str, n_chars: int, source: random.Random) -> str:
    stop = "。" if "。" in text else ". "
    sentences = [part.strip(stop) for part in text.split(stop)]
    pieces: list[str] = []
    while sum(map(len, pieces)) < n_chars:
        source.shuffle(sentences)
        pieces += [sentence + stop for sentence in sentences]
    return "".join(pieces)[:n_chars]
