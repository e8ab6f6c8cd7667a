"""What pages that are a form for an account call themselves: in their addresses, and as whole parts of their titles.

Small letters, words apart by blanks, without signs and numbers, as in ``message_words.py``.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from crawler.page.tags import names
from pipelines.boilerplate.winnow.message_words import phrases

# Of addresses: what is done there, ...
_ACCOUNTS = re.compile(
    r"\b(?:(?:log|sign|logg|meld) ?(?:in|on|up|aan)|register|registration|create (?:an? )?account|account (?:create|register|new)|"
    r"(?:forgot|forgotten|lost|reset|recover|remind|retrieve|restore|request|find|mail|send) ?(?:my |your )?"
    r"(?:password|passwd|passwort|pwd|username|pass)|"
    r"(?:password|passwd|pwd) ?(?:forgot|forgotten|lost|reset|recovery|recover|remind|reminder|restore|request)|"
    r"anmelden|anmeldung|einloggen|registrieren|passwort vergessen|aanmelden|inloggen|registreren|wachtwoord vergeten|"
    r"inscription|connexion|mot de passe oublie|authentification|registro|registrarse|iniciar sesion|"
    r"recuperar contrasena|cadastro|recuperar senha|registrazione|registrati|accedi|password dimenticata|"
    r"recupera password|logowanie|zaloguj|rejestracja|przypomnij haslo|prihlaseni|prihlasenie|registrace|registracia|"
    r"registracija|prijava|regisztracio|belepes|elfelejtett jelszo|autentificare|inregistrare|kirjaudu|rekisteroidy|"
    r"glemt adgangskode|glemt passord|glomt losenord|giris|kayit|uye ol|sifremi unuttum|vhod|registraciya)\b"
)
# ... and what may stand beside it.
_BESIDE = names(
    "a account accounts an app asp aspx auth authentication cgi check client customer customers do en form forum html "
    "home i id identity index jsp jsf main member members membership multi my new now nuevo ok oauth or our page pages "
    "php portal post request secure service session sessions shtml site sso step u user users web welcome wp your"
)
# Names of what a query does.
_ASKED = names("act action cmd do mode op page p route task view")
_OF_PASSWORDS = re.compile(
    "pass|pwd|username|wachtwoord|contrasena|senha|haslo|jelszo|adgangskode|losenord|sifre"
)
# Parts of addresses, above those of words and what they mean.
_DICTIONARIES = names(
    "wiki dictionary dictionaries define definition definitions meaning meanings word words glossary glossaries term terms "
    "thesaurus encyclopedia lexicon woerterbuch worterbuch lexikon glossar begriff dictionnaire lexique glossaire "
    "diccionario definicion glosario dicionario significado dizionario glossario woordenboek slownik slovnik szotar sozluk"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_APART = re.compile(r"[^a-z]+")


class Account(Enum):
    """What an address names: a way to an account or into something else, to a new password, or the word for these."""

    LOGIN = auto()
    INTO_OTHER = auto()
    LOST_PASSWORD = auto()
    WORD = auto()


def account_of(path: str, query: list[tuple[str, str]]) -> Account | None:
    """Return what the end of *path*, or what a parameter of *query* asks for, names of an account.

    >>> [account_of(path, []) for path in ("/user/login", "/ForgotPassword.aspx", "/notes/Login_Theory")]
    [<Account.LOGIN: 1>, <Account.LOST_PASSWORD: 3>, None]
    >>> account_of("/ucp.php", [("mode", "register")]), account_of("/dictionary/register", [])
    (<Account.LOGIN: 1>, <Account.WORD: 4>)
    >>> account_of("/meetings/spring/register", [])
    <Account.INTO_OTHER: 2>
    """
    parts = [part for part in path.split("/") if part]
    last = _named(parts[-1]) if parts else None
    if last and _is_word(parts):
        return Account.WORD
    asked = [value for name, value in query if name.lower() in _ASKED]
    found = {_named(part) for part in (" ".join(parts[-2:]), *asked)}
    if Account.LOST_PASSWORD in {last, *found}:
        return Account.LOST_PASSWORD
    return Account.LOGIN if Account.LOGIN in found else last and Account.INTO_OTHER


def _is_word(parts: list[str]) -> bool:
    """Tell whether the last of *parts* is explained there; a file or "Special:Login" is a page of the site's own."""
    return {".", ":"}.isdisjoint(parts[-1]) and not _DICTIONARIES.isdisjoint(
        part.lower() for part in parts[:-1]
    )


def _named(part: str) -> Account | None:
    words = " ".join(_APART.split(_CAMEL.sub(" ", part).lower())).strip()
    found = _ACCOUNTS.search(words)
    if found is None or not _BESIDE.issuperset(
        (words[: found.start()] + words[found.end() :]).split()
    ):
        return None
    return Account.LOST_PASSWORD if _OF_PASSWORDS.search(found[0]) else Account.LOGIN


# Forms that ask for a password, or for a name or address and more.
LOGINS = phrases(
    "log in|login|log on|logon|sign in|signin|sign up|signup|sign on|register|registration|create account|create an account|"
    "log in or register|log in or sign up|login or register|sign in or register|register or sign in|user login|member login|"
    "customer login|my account|account login|please log in|please sign in|login page|user account|new user|"
    "create a new account|create new account|create your account|account registration|user registration|new registration|"
    "registration form|join now|"
    "anmelden|anmeldung|einloggen|registrieren|registrierung|mein konto|benutzerkonto|benutzerkonto anlegen|konto erstellen|"
    "kundenlogin|kundenkonto|connexion|se connecter|inscription|identification|authentification|mon compte|créer un compte|"
    "créez votre compte|iniciar sesión|iniciar sesion|inicio de sesión|acceder|registrarse|registro|crear una cuenta|"
    "crear cuenta|mi cuenta|accedi|accesso|login utente|registrati|registrazione|crea un account|area riservata|"
    "entrar|iniciar sessão|cadastro|cadastre se|criar conta|minha conta|inloggen|aanmelden|registreren|account aanmaken|"
    "mijn account|logga in|registrera dig|skapa konto|bli medlem|log ind|opret bruger|opret konto|logg inn|registrer deg|"
    "opprett konto|kirjaudu|kirjaudu sisään|rekisteröidy|luo tili|zaloguj się|logowanie|rejestracja|zarejestruj się|"
    "utwórz konto|přihlášení|přihlásit se|registrace|prihlásenie|registrácia|bejelentkezés|belépés|regisztráció|"
    "autentificare|conectare|înregistrare|creează cont|вход|войти|авторизация|регистрация|зарегистрироваться|увійти|вхід|"
    "реєстрація|регистрация на потребител|σύνδεση|εγγραφή|είσοδος|giriş|giriş yap|üye girişi|üye ol|kayıt ol|prijava|"
    "registracija|registruj se|登录|登陆|用户登录|会员登录|注册|用户注册|会员注册|登入|會員登入|註冊|ログイン|会員登録|新規登録|新規会員登録|로그인|회원가입|"
    "تسجيل الدخول|تسجيل|إنشاء حساب|כניסה|התחברות|הרשמה|ورود|ثبت نام|عضویت|masuk|daftar|đăng nhập|đăng ký|เข้าสู่ระบบ|สมัครสมาชิก"
)
# Of these, what other pages are called, too: ways in, lists, marks, enrolments. The address must name a form as well.
AMBIGUOUS = phrases(
    "register|registration|anmeldung|connexion|inscription|identification|acceder|entrar|registro|cadastro|accesso|"
    "registrazione|aanmelden|belépés|conectare|înregistrare|вход|вхід|регистрация|реєстрація|είσοδος|εγγραφή|giriş|prijava|"
    "registracija|registrácia|registrace|rejestracja|regisztráció|تسجيل|כניסה|הרשמה|ورود|ثبت نام|عضویت|masuk|daftar|đăng ký"
)
# Forms that ask for a name or an address alone.
LOST_PASSWORDS = phrases(
    "forgot password|forgot your password|forgot my password|forgotten password|forgotten your password|password forgotten|"
    "lost password|lost your password|reset password|reset your password|password reset|reset my password|"
    "request password reset|request new password|password recovery|recover password|recover your password|"
    "password reminder|forgot username|forgot your username|forgotten password recovery|"
    "passwort vergessen|kennwort vergessen|passwort zurücksetzen|neues passwort anfordern|mot de passe oublié|"
    "mot de passe perdu|réinitialiser le mot de passe|réinitialisation du mot de passe|recuperar contraseña|"
    "olvidé mi contraseña|he olvidado mi contraseña|contraseña olvidada|restablecer contraseña|recuperar senha|"
    "senha perdida|esqueci minha senha|esqueci a senha|recuperar palavra passe|redefinir senha|password dimenticata|"
    "hai dimenticato la password|recupera password|recupero password|wachtwoord vergeten|wachtwoord resetten|"
    "glömt lösenord|återställ lösenord|glemt adgangskode|glemt kodeord|glemt passord|unohditko salasanan|"
    "unohtunut salasana|nie pamiętam hasła|odzyskiwanie hasła|przypomnienie hasła|resetowanie hasła|zapomniane hasło|"
    "zapomenuté heslo|obnova hesla|zabudnuté heslo|elfelejtett jelszó|am uitat parola|parolă uitată|recuperare parolă|"
    "забыли пароль|восстановление пароля|напомнить пароль|забравена парола|відновлення пароля|забули пароль|"
    "ξέχασα τον κωδικό μου|υπενθύμιση κωδικού|şifremi unuttum|parolamı unuttum|zaboravljena lozinka|zaboravljena šifra|"
    "pozabljeno geslo|slaptažodžio priminimas|找回密码|忘记密码|重置密码|忘記密碼|パスワードを忘れた|パスワード再設定|パスワードの再設定|"
    "パスワードをお忘れの方|비밀번호 찾기|비밀번호 재설정|نسيت كلمة المرور|استعادة كلمة المرور|שכחתי סיסמה|שחזור סיסמה|"
    "بازیابی رمز عبور|فراموشی رمز عبور|lupa kata sandi|lupa password|quên mật khẩu|ลืมรหัสผ่าน"
)
