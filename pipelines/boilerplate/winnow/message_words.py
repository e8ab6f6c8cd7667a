"""What pages without a main text call themselves, in some thirty languages: whole titles, or whole parts of them.

Small letters, words apart by blanks, without signs and numbers: so `messages.py` reads titles.
"""

from __future__ import annotations

from crawler.page.tags import names


def folded(text: str) -> str:
    """Return *text* in small letters, with the i of Turkish as any other: capitals do not say which it is."""
    return text.lower().replace("ı", "i").replace("\u0307", "")


def phrases(text: str) -> frozenset[str]:
    """Return the phrases of *text*, one a line or apart by bars."""
    return frozenset(folded(text).replace("|", "\n").strip().split("\n"))


# Beside a number or a phrase, and no more than that.
BESIDE = names(
    "oops ooops whoops uh oh sorry error http https status code fehler erreur errore erro fel feil virhe błąd chyba hiba "
    "eroare грешка ошибка помилка σφάλμα hata greška napaka viga kļūda klaida fout lỗi エラー 错误 錯誤 오류 שגיאה خطأ "
    "pardon hoppla entschuldigung désolé lo sentimos desculpe"
)
# None of these is what a page is about: a page that is not there, a server that fails, a guard, a place to let.
MESSAGES = phrases(
    """
page not found
the page was not found
this page was not found
that page was not found
the page you requested was not found
the page you requested could not be found
the page you are looking for could not be found
the page cannot be found
the page can t be found
that page can t be found
this page could not be found
page could not be found
the requested page could not be found
the requested url was not found on this server
page cannot be found
page can t be found
we can t find that page
we couldn t find that page
this page isn t available
this page is not available
page not available
page unavailable
page no longer available
this page does not exist
page does not exist
file not found
file or directory not found
document not found
content not found
resource not found
object not found
the resource cannot be found
not found page
nothing found
nothing found here
nothing was found
internal server error
server error
bad gateway
service unavailable
service temporarily unavailable
gateway timeout
gateway time out
request timeout
bad request
too many requests
application error
runtime error
temporarily unavailable
website temporarily unavailable
site temporarily unavailable
site maintenance
site under maintenance
website under maintenance
under maintenance
maintenance mode
website under construction
site under construction
account suspended
this account has been suspended
website suspended
site suspended
this site has been suspended
domain not configured
domain for sale
this domain is for sale
this domain may be for sale
domain parked
parked domain
welcome to nginx
test page for the nginx http server
test page for the apache http server
apache http server test page powered by centos
apache ubuntu default page it works
apache debian default page it works
iis windows server
default web site page
just a moment
one moment please
attention required
access to this page has been denied
access to this page is forbidden
pardon our interruption
are you not a robot
robot check
bot check
bot verification
human verification
security verification
verify you are human
verifying you are human
verification required
captcha check
ddos protection
ddos guard
checking your browser
checking your browser before accessing
please verify you are a human
please enable javascript
javascript is disabled
javascript required
cookies required
you have been blocked
request blocked
request rejected
session expired
your session has expired
seite nicht gefunden
die seite wurde nicht gefunden
diese seite wurde nicht gefunden
die seite konnte nicht gefunden werden
diese seite existiert nicht
seite existiert nicht
inhalt nicht gefunden
nicht gefunden
wartungsarbeiten
wartungsmodus
page non trouvée
page introuvable
cette page est introuvable
la page est introuvable
page inexistante
cette page n existe pas
cette page n existe plus
la page demandée est introuvable
accès interdit
site en maintenance
página no encontrada
pagina no encontrada
la página no existe
no se encontró la página
no encontramos la página
esta página no existe
sitio en mantenimiento
pàgina no trobada
no s ha trobat la pàgina
pagina non trovata
la pagina non esiste
sito in manutenzione
página não encontrada
pagina não encontrada
pagina niet gevonden
de pagina is niet gevonden
deze pagina bestaat niet
toegang geweigerd
sidan hittades inte
sidan kunde inte hittas
sidan finns inte
siden blev ikke fundet
siden kunne ikke findes
siden findes ikke
siden ble ikke funnet
fant ikke siden
siden finnes ikke
sivua ei löytynyt
sivua ei löydy
sivua ei ole
strona nie została znaleziona
nie znaleziono strony
strona nie istnieje
brak dostępu
stránka nenalezena
stránka nebyla nalezena
stránka neexistuje
stránka nenájdená
stránka sa nenašla
stránka nebola nájdená
az oldal nem található
a keresett oldal nem található
oldal nem található
pagina nu a fost găsită
pagina nu a fost gasita
pagină negăsită
страницата не е намерена
страница не найдена
страница не существует
такой страницы не существует
доступ запрещен
доступ запрещён
сторінку не знайдено
сторінка не знайдена
η σελίδα δεν βρέθηκε
η σελίδα δεν υπάρχει
sayfa bulunamadı
aradığınız sayfa bulunamadı
stranica nije pronađena
stranica nije pronadjena
stranica ne postoji
strani ni mogoče najti
stran ne obstaja
lehte ei leitud
lehekülge ei leitud
lapa nav atrasta
puslapis nerastas
halaman tidak ditemukan
không tìm thấy trang
trang không tồn tại
页面不存在
页面未找到
页面找不到
找不到页面
找不到该页面
未找到页面
您访问的页面不存在
您要访问的页面不存在
您访问的页面不存在或已删除
抱歉 您访问的页面不存在
对不起 您访问的页面不存在
页面没有找到
无法找到该页
访问被拒绝
安全验证
頁面不存在
找不到頁面
找不到網頁
ページが見つかりません
ページが見つかりませんでした
お探しのページは見つかりません
お探しのページは見つかりませんでした
お探しのページが見つかりません
お探しのページが見つかりませんでした
ページが存在しません
ページは存在しません
페이지를 찾을 수 없습니다
존재하지 않는 페이지입니다
الصفحة غير موجودة
لم يتم العثور على الصفحة
הדף לא נמצא
העמוד לא נמצא
صفحه یافت نشد
صفحه مورد نظر یافت نشد
ไม่พบหน้า
ไม่พบหน้าที่คุณต้องการ
ไม่พบหน้าเว็บ
पृष्ठ नहीं मिला
पेज नहीं मिला
"""
)
# Messages as whole titles, or beside a number; as parts of titles they are names of songs and films, too.
WHOLE_MESSAGES = phrases(
    "not found|forbidden|unauthorized|no encontrado|non trouvé|non trovato|não encontrado|not acceptable|gone|"
    "未找到|見つかりません|не найдено|coming soon|loading|please wait|redirecting|access denied|security check|"
    "under construction|captcha|are you human|are you a robot|acceso denegado|accesso negato|acesso negado|accès refusé|"
    "zugriff verweigert"
)
