"""What pages without a main text say in their blocks, in small letters, in some thirty languages."""

from __future__ import annotations

from pipelines.boilerplate.winnow.message_words import phrases

# What a domain without a page says in its text.
FOR_SALE = phrases(
    "domain is for sale|domain may be for sale|domain name is for sale|buy this domain|domain is parked|parked domain|"
    "domain parking|domain has expired|domain name has expired|domain is available for purchase|inquire about this domain|"
    "domain steht zum verkauf|domain kaufen|diese domain ist geparkt|domaine est à vendre|domaine est en vente|"
    "nom de domaine est à vendre|dominio está en venta|dominio está a la venta|dominio è in vendita|"
    "domínio está à venda|domein is te koop|domeinnaam is te koop|domena jest na sprzedaż|domena na sprzedaż|"
    "doména je na prodej|domén eladó|domän är till salu|domæne er til salg|domene er til salgs|домен продается|"
    "домен продаётся|домен припаркован|域名出售|域名正在出售|此域名出售|このドメインは売り出し|도메인을 판매|alan adı satılıktır"
)
# What a page without text says to who reads it without a script, or with a browser that it does not know.
BROWSERS = phrases(
    "enable javascript to run|enable javascript to continue|enable javascript and cookies|please enable javascript|"
    "javascript is disabled|javascript is not enabled|javascript is not available|javascript disabled|javascript is required|"
    "requires javascript|must have javascript|need javascript|turn on javascript|javascript must be enabled|"
    "enable javascript in your browser|using an outdated browser|browser is out of date|browser is not supported|"
    "browser isn t supported|browser isn't supported|browser isn’t supported|unsupported browser|upgrade your browser|"
    "security of your connection before proceeding|checking your browser before|unavailable due to legal reasons|"
    "aktivieren sie javascript|javascript aktivieren|javascript ist deaktiviert|browser wird nicht unterstützt|"
    "browser ist veraltet|activer javascript|activez javascript|javascript est désactivé|navigateur n est pas|"
    "navigateur est obsolète|habilite javascript|habilitar javascript|active javascript|activar javascript|"
    "navegador no es compatible|attiva javascript|abilita javascript|attivare javascript|abilitare javascript|"
    "ative o javascript|habilite o javascript|navegador não é suportado|schakel javascript in|javascript inschakelen|"
    "aktivera javascript|aktiver javascript|aktivér javascript|ota javascript käyttöön|włącz javascript|włączyć javascript|"
    "povolte javascript|povoľte javascript|zapněte javascript|engedélyezze a javascript|activați javascript|"
    "включите javascript|включить javascript|увімкніть javascript|ενεργοποιήστε τη javascript|"
    "javascript'i etkinleştirin|uključite javascript|omogućite javascript|vklopite javascript|启用javascript|启用 javascript|"
    "開啟javascript|啟用javascript|啟用 javascript|javascriptを有効|자바스크립트를|javascript를|"
    "تفعيل javascript|تفعيل جافا سكريبت|להפעיל javascript|aktifkan javascript|bật javascript|เปิดใช้งาน javascript"
)
