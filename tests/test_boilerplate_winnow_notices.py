"""Notices of cookies: dropped where nothing else stands, in many languages; texts about cookies are kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.kernels.line_words import lines_with, words_of
from pipelines.boilerplate.winnow import Winnow
from tests.test_boilerplate_winnow import kept_text, page_from

NOTICES = {
    "ar": "نستخدم ملفات تعريف الارتباط لتحسين تجربتك على موقعنا. باستمرارك في التصفح فأنت توافق على سياسة الخصوصية.",
    "bg": "Ние използваме бисквитки, за да подобрим вашето изживяване на сайта. Можете да приемете всички или да "
    "промените настройките си.",
    "ca": "Fem servir galetes per millorar la vostra experiència al nostre lloc web. Si continueu navegant accepteu la "
    "nostra política de privacitat.",
    "cs": "Používáme soubory cookie, abychom vám na našich stránkách zajistili co nejlepší zážitek. Souhlas můžete "
    "kdykoli změnit v nastavení.",
    "da": "Vi bruger cookies på vores hjemmeside til at forbedre din oplevelse og måle trafikken. Ved at klikke videre "
    "giver du dit samtykke til det.",
    "de": "Diese Website verwendet Cookies, um Inhalte zu personalisieren und Zugriffe zu analysieren. Mit einem Klick "
    "erklären Sie sich damit einverstanden; unsere Einstellungen können Sie ändern.",
    "el": "Χρησιμοποιούμε cookies για να βελτιώσουμε την εμπειρία σας στον ιστότοπό μας. Με τη συνέχεια της περιήγησης "
    "αποδέχεστε την πολιτική απορρήτου.",
    "en": "We use cookies to give you the best experience on our website. If you continue to use this site, you agree "
    "to this and to our privacy policy.",
    "es": "Utilizamos cookies propias y de terceros para mejorar su experiencia en nuestra página web. Si continúa "
    "navegando, acepta su uso y nuestra política de privacidad.",
    "et": "Meie veebileht kasutab küpsiseid, et parandada teie kogemust. Jätkates nõustute nende kasutamisega; seadeid "
    "saab alati muuta.",
    "fi": "Käytämme evästeitä parantaaksemme käyttökokemusta sivustolla. Voit hyväksyä kaikki tai muuttaa "
    "asetuksia milloin tahansa.",
    "fr": "Nous utilisons des cookies pour améliorer votre expérience sur notre site. En poursuivant, vous acceptez "
    "leur utilisation et notre politique de confidentialité.",
    "he": "אנחנו משתמשים בעוגיות כדי לשפר את חוויית הגלישה שלך באתר. המשך הגלישה מהווה הסכמה למדיניות הפרטיות.",
    "hr": "Koristimo kolačiće kako bismo poboljšali vaše iskustvo na našim web stranicama. Nastavkom se slažete s "
    "njima; postavke možete promijeniti.",
    "hu": "Weboldalunk sütiket használ a jobb felhasználói élmény érdekében. A böngészés folytatásával elfogadja az "
    "adatvédelmi szabályzatot.",
    "it": "Utilizziamo i cookie per migliorare la tua esperienza sul nostro sito. Continuando la navigazione accetti "
    "il loro uso e la nostra informativa sulla privacy.",
    "ja": "当サイトでは、体験の向上のためにクッキーを使用しています。閲覧を続けると、クッキーの使用とプライバシーポリシーに同意したことになります。",
    "ko": "당사 사이트는 더 나은 경험을 제공하기 위해 쿠키를 사용합니다. 계속 이용하시면 쿠키 사용과 개인정보 처리방침에 동의하는 것으로 간주됩니다.",
    "lt": "Mūsų svetainėje naudojami slapukai, kad pagerintume jūsų patirtį. Naršydami toliau sutinkate su jų naudojimu; "
    "nustatymus galite keisti.",
    "lv": "Mūsu vietne izmanto sīkdatnes, lai uzlabotu jūsu pieredzi. Turpinot jūs piekrītat to lietošanai; iestatījumus "
    "varat mainīt.",
    "nl": "Wij gebruiken cookies om uw ervaring op onze website te verbeteren. Door verder te gaan gaat u akkoord met "
    "ons gebruik ervan; uw instellingen kunt u wijzigen.",
    "no": "Vi bruker informasjonskapsler på nettstedet for å gi deg en bedre opplevelse. Du kan godta alle eller endre "
    "innstillingene dine når som helst.",
    "pl": "Nasza strona używa plików cookie, aby poprawić Twoje doświadczenia. Korzystając z niej dalej, wyrażasz "
    "zgodę na ich użycie; ustawienia możesz zmienić.",
    "pt": "Utilizamos cookies para melhorar a sua experiência no nosso site. Ao continuar a navegar, aceita o seu uso "
    "e a nossa política de privacidade.",
    "ro": "Folosim cookie-uri pentru a îmbunătăți experiența dumneavoastră pe site. Continuând, sunteți de acord cu "
    "politica noastră de confidențialitate.",
    "ru": "Мы используем файлы cookie, чтобы сделать работу с сайтом удобнее. Продолжая, вы соглашаетесь с этим; "
    "изменить настройки можно в любое время.",
    "sl": "Na naših spletnih straneh uporabljamo piškotke, da izboljšamo vašo izkušnjo. Z nadaljevanjem se strinjate z "
    "njimi; nastavitve lahko spremenite.",
    "sv": "Vi använder kakor på vår webbplats för att förbättra din upplevelse. Du kan godkänna alla eller ändra dina "
    "inställningar när du vill.",
    "th": "เว็บไซต์นี้ใช้คุกกี้เพื่อประสบการณ์ที่ดีขึ้นของคุณ หากใช้งานต่อถือว่าคุณยอมรับนโยบายความเป็นส่วนตัวของเรา",
    "tr": "Web sitemizde deneyiminizi iyileştirmek için çerezler kullanıyoruz. Devam ederek bunu kabul etmiş olursunuz; "
    "ayarlarınızı değiştirebilirsiniz.",
    "uk": "Ми використовуємо файли cookie, щоб покращити ваш досвід на сайті. Продовжуючи, ви погоджуєтеся з цим; "
    "наші правила конфіденційності можна прочитати тут.",
    "zh": "我们的网站使用 Cookie 来改善您的浏览体验。继续浏览即表示您同意我们使用 Cookie，您可以随时更改设置。",
}
LINKS = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("home", "news", "shop", "jobs"))
CART = "<h1>Your cart</h1><p>Your cart is empty.</p><p><a href=/shop>Continue shopping</a></p>"
LAW = [
    f"{sentence.strip()} "
    for sentence in """
The court held that a site may not store cookies on a device before its user has agreed to it, and that no box is ticked.
Lawyers of the association said that most of the websites they had looked at use cookies for advertising unasked.
The company answered that its partners had accepted the rules, and that users may change their settings for cookies.
A decision on the fine, which may be as high as four per cent of its turnover, is expected in the spring.
""".strip().splitlines()
]


def text_of(page, **options):
    return kept_text(page, Winnow(**options).label(page))


def cart_with(notice):
    return page_from(f"<title>Your cart</title>{notice}<ul>{LINKS}</ul><main>{CART}</main>")


@pytest.mark.parametrize("language", NOTICES)
def test_a_notice_is_no_main_text_of_a_page_without_any(language):
    for element in ("div", "div class=cookie-banner"):
        page = cart_with(f"<{element}><p>{NOTICES[language]}</p><button>OK</button></div>")
        assert NOTICES[language][:20] not in text_of(page), element


@pytest.mark.parametrize("preset", ["precision", "balanced", "recall"])
@pytest.mark.parametrize("comments", ["auto", "keep", "cut"])
def test_no_option_brings_a_notice_back(preset, comments):
    page = cart_with(f"<div id=consent class=comments><p>{NOTICES['en']}</p></div>")
    assert "cookies" not in text_of(page, preset=preset, comments=comments)


def test_all_of_a_named_element_is_the_notice():
    choices = "".join(
        f"<h3>{name}</h3><p>These technologies help us to {what} of the site and of what our partners show on it.</p>"
        for name, what in (("Necessary", "run the pages"), ("Marketing", "measure the reach"))
    )
    page = cart_with(f"<div class=gdpr-popup><h2>Cookies</h2><p>{NOTICES['en']}</p>{choices}</div>")
    assert "These technologies" not in text_of(page)


@pytest.mark.parametrize(
    "around", ["<div>", "<article>", "<div class=paywall>", "<div id=cookies>"]
)
def test_a_text_about_cookies_is_kept(around):
    paragraphs = "".join(f"<p>{sentence * 2}</p>" for sentence in LAW)
    page = page_from(
        f"<title>Court rules on cookies</title><ul>{LINKS}</ul>{around}<h1>Court rules on cookies</h1>{paragraphs}"
    )
    text = text_of(page)
    assert [sentence for sentence in LAW if sentence.strip() not in text] == []


def test_what_a_program_does_with_cookies_is_kept():
    said = (
        "To read cookies, use the dictionary of the request; to set one, use the method of the response. "
        "A cookie that is set twice is sent once. "
    )
    page = page_from(
        f"<title>Requests</title><ul>{LINKS}</ul><main><h1>Requests</h1><p>{LAW[3] * 2}</p>"
        f"<section id=cookies><h2>Cookies</h2><p>{said * 2}</p></section></main>"
    )
    assert said.strip() in text_of(page)


def test_biscuits_are_kept():
    recipe = (
        "Bake the cookies for twelve minutes, until their edges are brown, and use a rack to cool them. "
        "We like ours with a glass of milk, and our children accept no other. "
    )
    page = page_from(
        f"<title>Cookies</title><ul>{LINKS}</ul><div class=cookie-recipe><h1>Cookies</h1>{recipe * 3}"
    )
    assert "until their edges are brown" in text_of(page)


def test_an_element_named_so_around_the_whole_page_is_no_notice():
    text = "".join(f"<p>{sentence.replace('cookies', 'data') * 2}</p>" for sentence in LAW)
    page = page_from(
        f"<div class=cookie-notice-shown><ul>{LINKS}</ul><p>{NOTICES['en']}</p><article><h1>Court</h1>{text}</article></div>"
    )
    assert "as high as four per cent" in text_of(page)


def test_the_reason_of_a_notice_is_told():
    page = cart_with(f"<div class=cookie-banner><p>{NOTICES['en']}</p></div>")
    place = list(page.blocks.text).index(NOTICES["en"])
    assert Winnow().reasons(page).blocks[place].said == "left out: a notice of cookies"


@given(
    st.lists(st.text(alphabet="AbBc Ññク\xe9"), max_size=20),
    st.lists(st.text(alphabet="abc ñク\xe9", min_size=2, max_size=4), min_size=1, max_size=32),
)
def test_lines_with_words_are_those_found_one_by_one(lines, words):
    joined = "".join(f"{line}\n" for line in lines).encode()
    small = [line.translate(str.maketrans("AB", "ab")) for line in lines]
    expected = [any(word in line for word in words) for line in small]
    found = lines_with(joined, len(lines), words_of([word.encode() for word in words]))
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(
    "word", [b"cookie", b"galetes", "s\u00fcti".encode(), "\u30af\u30c3\u30ad\u30fc".encode()]
)
def test_lines_are_found_wherever_a_word_stands(word):
    words = words_of([word, b"none"])
    for n_before in range(140):
        for n_behind in (0, 1, 70):
            line = b"o" * n_before + word + b"." * n_behind
            joined = b"\n" * (n_before % 3) + line + b"\n" + word[:-1] + b"\n"
            found = lines_with(joined, n_before % 3 + 2, words)
            assert np.flatnonzero(found).tolist() == [n_before % 3]
