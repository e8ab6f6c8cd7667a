"""The ISO 639 codes of the languages that have a stop list."""

from __future__ import annotations

# ISO 639-1 where there is one, else 639-3; macrolanguages and old codes beside.
_CODES = """
af Afrikaans, sq Albanian, ar Arabic, an Aragonese, hy Armenian, rup Aromanian, ast Asturian,
az Azerbaijani, eu Basque, be Belarusian, bn Bengali, bpy Bishnupriya Manipuri, bs Bosnian,
br Breton, bg Bulgarian, ca Catalan, ceb Cebuano, zh Chinese, cmn Chinese, cv Chuvash, hr Croatian,
cs Czech, da Danish, nl Dutch, en English, eng English, eo Esperanto, et Estonian, fi Finnish,
fr French, gl Galician, ka Georgian, de German, deu German, el Greek, gu Gujarati, ht Haitian,
he Hebrew, iw Hebrew, hi Hindi, hu Hungarian, is Icelandic, io Ido, ig Igbo, id Indonesian,
in Indonesian, ga Irish, it Italian, ja Japanese, jv Javanese, kn Kannada, kk Kazakh, ko Korean,
ku Kurdish, ky Kyrgyz, la Latin, lv Latvian, lt Lithuanian, lmo Lombard, nds Low Saxon,
lb Luxembourgish, mk Macedonian, ms Malay, ml Malayalam, mt Maltese, mr Marathi, nap Neapolitan,
ne Nepali, new Newar, nb Norwegian Bokmal, no Norwegian Bokmal, nn Norwegian Nynorsk, oc Occitan,
fa Persian, pms Piedmontese, pl Polish, pt Portuguese, qu Quechua, ro Romanian, mo Romanian,
ru Russian, sgs Samogitian, sr Serbian, sh Serbo Croatian, scn Sicilian, sk Slovak, sl Slovenian,
es Spanish, su Sundanese, sw Swahili, sv Swedish, tl Tagalog, fil Tagalog, ta Tamil, te Telugu,
tr Turkish, tk Turkmen, uk Ukrainian, ur Urdu, uz Uzbek, vi Vietnamese, vo Volapuk, wa Walloon,
war Waray Waray, cy Welsh, fy West Frisian, pnb Western Panjabi, yo Yoruba
"""
NAME_OF_CODE: dict[str, str] = {
    code: name
    for code, _, name in (
        entry.strip().partition(" ") for entry in _CODES.replace("\n", " ").split(",")
    )
}
