"""What notices of cookies say, in some thirty languages: words for cookies, and by kind what stands beside them."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """Words of one kind: whole ones, begins of words, and what stands anywhere, in scripts without blanks, too."""

    whole: str = ""
    begins: str = ""
    anywhere: str = ""


# Parts of words; most languages say "cookie" as well, or nothing else.
COOKIES = (
    "cookie",
    "kakor",
    "informasjonskaps",
    "vafrak",
    "eväste",
    "süti",
    "ciastecz",
    "küpsis",
    "sīkdat",
    "slapuk",
    "piškot",
    "kolačić",
    "çerez",
    "Çerez",
    "galetes",
    "куки",
    "Куки",
    "бисквит",
    "Бисквит",
    "クッキー",
    "쿠키",
    "עוגיות",
    "کوکی",
    "कुकी",
    "คุกกี้",
    "تعريف الارتباط",
)
KINDS = {
    "the site itself": Kind(
        whole="we our us wir unser unsere unserer nous notre nos nuestro nuestra nuestros nosotros nosso nossa "
        "nossos nós noi nostro nostra nostri onze wij ons vi vår våra vores våre me meie nasz nasza naszej my "
        "naš naše mes mūsų mēs mūsu noastre nostru biz sitemiz мы наш нашем нашего ние нашия ми εμείς μας "
        "aquest",
        anywhere="当社 弊社 我们 我們 본 당사 저희 אנו אנחנו نحن نستخدم เรา हम ما",
    ),
    "use": Kind(
        begins="use uses used using usage stor verwend nutz einsatz einsetz setz gespeich utilis utiliz usa usamos "
        "gebruik använd bruger brug anvend käyt używ korzyst wykorzyst použ používa haszn folos kasuta "
        "izmanto naudoj uporablj korist исполь использ използ використ χρησιμοπ kullan empra fem",
        anywhere="使用 利用 사용 משתמש استخدام نستخدم ใช้ उपयोग استفاده",
    ),
    "consent": Kind(
        whole="ok",
        begins="accept agree consent permi allow akzept zustimm einverst einwillig acept aceit acconsent accett "
        "akkoord toestem godkänn samtyck godta samtyk tillad hyväks suostu akcept zgod zgad souhlas súhlas "
        "přij elfogad beleegy hozzájár nõus piekrīt sutink sutik strinja slaž pristan prihva соглас прин "
        "съглас прием погодж αποδέχ αποδοχ συμφων συναιν kabul onay rıza acord",
        anywhere="同意 允许 允許 許可 承諾 동의 허용 מסכים הסכמ توافق موافق قبول ยอมรับ ยินยอม सहमत स्वीकार",
    ),
    "a website": Kind(
        begins="web site seite internet sitio sito página pagina page navig nettst hjemmes sivust stron witryn "
        "serwis oldal strán vietn svetain spletn strani stranic сайт веб уебсайт страниц ιστ σελίδ portal "
        "lloc",
        anywhere="サイト 网站 網站 사이트 אתר موقع เว็บไซต์ वेबसाइट سایت",
    ),
    "what for": Kind(
        begins="experience erlebnis erfahrung nutzerfreund expérience experiencia experiência esperienza ervaring "
        "upplevelse oplevelse opplevelse kokemu doświadcz wygod zážit élmény kogemus pieredz patirt izkušnj "
        "iskustv experienț опыт удоб изживяван εμπειρ deneyim traffic trafic tráfico traffico analy analis "
        "personali persönl advert werb anzeig publici publicid annonc reklam mainon improve verbesser amélior "
        "mejor melhor miglior verbeter förbättr forbedr paran optim реклам улучш анализ подобр",
        anywhere="体験 体验 體驗 広告 广告 廣告 경험 광고 חווי تجربة ประสบการณ์ अनुभव",
    ),
    "rules and choices": Kind(
        begins="privacy policy policies settings preferences partner third-part device browser necessary essential "
        "datenschutz einstell notwendig confidentialité paramètr nécessaire privacid configur necesari "
        "privacidade preferênc definiç necessár informativa impostaz necessar instelling noodzakelijk "
        "integritet inställning nödvänd personvern innstilling nødvend indstilling tietosuoja asetu välttäm "
        "prywatn ustawie niezbęd nastav nezbytn adatvéd beállít szükséges confidențial setări конфиденц "
        "настрой поверител απορρήτ ρυθμίσ gizlilik ayar nastavitv postavk nustatym iestatīj seadete",
        anywhere="プライバシー 設定 隐私 隱私 设置 設置 개인정보 설정 פרטיות הגדרות الخصوصية الإعدادات ส่วนตัว ตั้งค่า गोपनीयता حریم",
    ),
}
