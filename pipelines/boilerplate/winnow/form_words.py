"""What pages that are a form for an account call themselves: in their addresses, and as whole parts of their titles.

Small letters, words apart by blanks, without signs and numbers, as in ``message_words.py``.
"""

from __future__ import annotations

import re

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
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_APART = re.compile(r"[^a-z]+")


def names_account(path: str, query: list[tuple[str, str]]) -> bool:
    """Tell whether the end of *path*, or what a parameter of *query* asks for, is a form for an account.

    >>> [names_account(path, []) for path in ("/user/login", "/ForgotPassword.aspx", "/wiki/Login_Theory", "/my/register/")]
    [True, True, False, True]
    >>> names_account("/ucp.php", [("mode", "register")])
    True
    """
    parts = [part for part in path.split("/") if part][-2:]
    asked = [value for name, value in query if name.lower() in _ASKED]
    return any(map(_is_account, [*parts[-1:], " ".join(parts), *asked]))


def _is_account(part: str) -> bool:
    words = " ".join(_APART.split(_CAMEL.sub(" ", part).lower())).strip()
    found = _ACCOUNTS.search(words)
    return found is not None and _BESIDE.issuperset(
        (words[: found.start()] + words[found.end() :]).split()
    )


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
