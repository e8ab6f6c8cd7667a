"""Spanish: regular verbs in -ar in nine tenses, gender and number, diminutives."""

from __future__ import annotations

import re

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

_NOUNS_M = """
cuadro museo pintor poema teatro cantante libro ritmo escultor lienzo violín concierto |
mercado contrato cliente negocio banco sueldo gerente precio proveedor impuesto crédito taller |
programa teclado servidor archivo navegador correo código robot cable monitor dato enlace |
médico enfermo músculo remedio síntoma hospital corazón pulmón hueso jarabe diente vendaje |
jardín horno techo cuchillo sillón plato armario mueble queso pan tomate espejo |
ministro diario parlamento testigo debate gobierno juez discurso conflicto voto escándalo senador
|
viajero puerto sendero hotel lago barco bosque puente desierto valle camino mapa |
maestro alumno capítulo diccionario curso examen título texto colegio ensayo cuaderno idioma |
planeta átomo microscopio volcán insecto cristal glaciar clima telescopio fósil laboratorio metal
|
zapato abrigo collar perfume descuento regalo paquete sombrero anillo bolso cinturón tejido |
vecino cura barrio monumento ciudadano campesino pueblo oficio abuelo templo festejo huérfano |
jugador portero árbitro estadio balón torneo corredor entrenador partido nadador campeón trofeo
"""
_NOUNS_F = """
pintura galería melodía escena canción danza guitarra novela comedia orquesta estatua sinfonía |
empresa factura fábrica venta deuda moneda acción marca oficina bolsa sociedad tarifa |
pantalla impresora tecla aplicación máquina ventana consulta copia red memoria página clave |
clínica enfermedad alergia herida receta vitamina terapia fiebre pastilla gripe vacuna dieta |
cocina lámpara vela manta cuchara sopa puerta alfombra cebolla mesa cama zanahoria |
elección prensa ley crisis frontera reforma huelga campaña sesión embajada noticia encuesta |
isla montaña playa selva posada maleta costa cascada ruta aldea orilla tienda |
escuela biblioteca lección pregunta frase enciclopedia lectura nota lengua respuesta prueba tarea
|
estrella fórmula célula teoría molécula energía especie planta galaxia onda muestra semilla |
falda camisa joya blusa bufanda talla entrega corbata chaqueta etiqueta caja prenda |
familia iglesia fiesta tradición costumbre comunidad parroquia boda generación leyenda abuela
plaza |
carrera victoria medalla liga raqueta derrota pista copa temporada piscina meta jornada
"""
_VERBS = """
acept acompañ admir adopt afirm agreg ahorr alcanz aliment am anunci apag apoy apreci aprovech
arregl asegur ayud bail bes borr busc calcul cambi camin cant captur carg celebr cocin compar
complet compr confirm conserv consult contest control copi cort cre critic cruz cuid cultiv dej
demand desarroll descans descarg dese dibuj dud ech educ elabor elimin empuj encarg enseñ entreg
entrevist envi escuch esper estudi evit examin explic explor expres fabric felicit firm form fund
gan gast grab guard habl identific imagin import indic inform intent invent invit junt juzg lanz
lav leg levant limpi llam llen llev logr luch mand manej marc mejor mezcl mir mostr nad necesit
nombr not observ ocup ofert olvid orden organiz pag par pas pint pis plant practic pregunt prepar
present prest public quit rechaz recomend record reflej regal regres repar respet revis sac salud
salv señal separ sopl super tard termin tir toc tom trabaj transform trat us utiliz valor vendim
viaj visit
"""
_ADJECTIVES = """
alto bajo bonito pequeño largo corto nuevo viejo blanco negro rojo amarillo frío cálido dulce
limpio sucio claro oscuro seco húmedo rico barato caro famoso hermoso peligroso delicioso curioso
generoso nervioso precioso silencioso valioso antiguo moderno lento rápido tranquilo serio sincero
sano enfermo lleno vacío abierto cerrado cansado ocupado preparado amplio estrecho profundo recto
redondo plano raro extraño propio ajeno público privado secreto directo exacto perfecto correcto
distinto justo bueno malo loco tímido sólido líquido básico clásico mágico histórico político
médico técnico económico eléctrico científico simpático auténtico romántico europeo americano
cercano lejano humano urbano temprano sereno ameno pleno moreno ligero entero sincero extranjero
duro puro maduro seguro
"""
_INVARIANT = """
grande importante interesante brillante elegante constante reciente paciente valiente frecuente
diferente excelente inteligente caliente fuerte verde triste pobre libre alegre enorme breve suave
leve
"""
_ADVERBS = """
siempre nunca ayer hoy mañana pronto todavía quizás casi después entonces también aquí además
ahora anoche luego apenas tampoco allí
"""
_NAME_STARTS = """
Villa Monte Casa Torre Valde Puente Fuente Campo Rio Santa Alcala Pina Ola Cala Roca Peña Arro
Miral Alma Guada Bena Cara Zara Mara Sala Teru Huel Corra Navala Aldea Encina Moral
"""
_NAME_ENDS = """
nueva blanca hermosa rubia mayor ñedo dilla rejo lejos viejo verde clara real flor medina nilla
cedo randa zuela quera rol
"""
_GRAMMAR = """
DM: 6 el | 3 un | este/ese/aquel | su/nuestro/mi | cada/otro
DF: 6 la | 3 una | esta/esa/aquella | su/nuestra/mi | cada/otra
DMP: 6 los | 2 unos/estos/esos | sus/nuestros | muchos/algunos/varios | NUM
DFP: 6 las | 2 unas/estas/esas | sus/nuestras | muchas/algunas/varias | NUM
SG: 4 DM NM | 4 DF NF | 3 DM NM AM | 3 DF NF AF | DM NM de NAME | NAME
  | 2 DF NF AF de el NM | 2 DM NM de la NF
PL: 3 DMP NMP | 3 DFP NFP | 3 DMP NMP AMP | 3 DFP NFP AFP | DMP NMP y DFP NFP | las NFP de NAME
  | 2 DMP NMP de la NF | las NFP de los NMP
O: 6 SG | 5 PL | a DF NF
PREP: en/sobre/bajo/con/para/sin/por/hacia/contra/entre/durante/desde/hasta/según/ante
PP: 4 PREP SG | 3 PREP PL | a SG | en YEAR | tras DF NF | gracias a DM NM
V3: 4 PRES | 3 IMP | 2 FUT | 3 PAS | COND | ha PPM | había PPM | no PRES | está PART
V3P: 4 PRESP | 3 IMPP | 2 FUTP | 3 PASP | CONDP | han PPM | habían PPM | no PRESP | están PART
MOD: 6 puede/debe/quiere/podía/debía/suele | va a
MODP: 6 pueden/deben/quieren/podían/debían/suelen | van a
VP: 6 V3 MANNER? O | 2 MOD INF O | sigue INV e INV PP | era muy INV para NAME | se PRES PP
VPP: 6 V3P MANNER? O | 2 MODP INF O | son INVP y INVP PP | se PRESP PP
CL: 5 SG VP | 4 PL VPP | DM NM que V3 O VP | DF NF que SG V3 VP | hay NUM NFP PP | V3 O PP
CLX: 4 CL | 3 CL PP | 2 ADV , CL | PP , CL | después de INF O , CL
KON: porque/pero/y/cuando/mientras/aunque/donde/pues
S: 5 CLX | 4 CL KON CL | 2 CLX , pero CL | 2 SUB CL , CL | 2 SG V3 que CL | para INF O , CLX
SUB: cuando/si/como/mientras/aunque
T: cómo INF O PP | el NM y la NF de NAME | DFP NFP AFP PP | por qué V3 SG | INF O
  | los NMP de la NF
L: 3 NMP | 3 NFP | NMP AMP | NFP AFP | NMP y NFP | NAME | NM de NAME
"""
_REPAIRS = (
    (r"\bde el ", "del "),
    (r"\ba el ", "al "),
    (r"\by (?=h?i)", "e "),
    (r"\be (?!h?i)", "y "),
)
_TENSES = {
    "PRES": ("a", "an"),
    "IMP": ("aba", "aban"),
    "FUT": ("ará", "arán"),
    "PAS": ("ó", "aron"),
    "COND": ("aría", "arían"),
}
_ACCENTS = str.maketrans("áéíóú", "aeiou")
# the last letters of a stem and what they become before e
_BEFORE_E = ((r"z$", "c"), (r"c$", "qu"), (r"g$", "gu"))


def _feminine(adjective: str) -> str:
    return adjective[:-1] + "a" if adjective.endswith("o") else adjective


def _plural(word: str) -> str:
    if word.endswith("z"):
        return word[:-1] + "ces"
    if word[-1] in "aeiouáéó":
        return word + "s"
    if word.endswith("s"):
        return word
    return (word[:-2] + word[-2].translate(_ACCENTS) + word[-1] if word[-1] == "n" else word) + "es"


def _small(noun: str) -> str:
    stem = noun[:-1].translate(_ACCENTS)
    for pattern, by in _BEFORE_E:
        changed = re.sub(pattern, by, stem)
        if changed != stem:
            stem = changed
            break
    return stem + ("ita" if noun.endswith("a") else "ito")


def _open(nouns: Column) -> Column:
    return [(noun, home) for noun, home in nouns if re.search(r"[^aeiou][ao]$", noun)]


def _manner(adjective: str) -> str:
    return _feminine(adjective) + "mente"


def _verbs(stems: Column) -> dict[str, Column]:
    columns = {
        "INF": ending(stems, "ar"),
        "PPM": ending(stems, "ado"),
        "PART": ending(stems, "ando"),
    }
    for tense, (singular, plural) in _TENSES.items():
        columns |= {tense: ending(stems, singular), f"{tense}P": ending(stems, plural)}
    return columns


def _columns() -> dict[str, Column]:
    stems = general(_VERBS)
    males, females = topical(_NOUNS_M), topical(_NOUNS_F)
    males += ending(stems, "ador") + each(_open(males), _small)
    females += ending(stems, "adora") + each(_open(females), _small)
    adjectives = general(_ADJECTIVES) + ending(stems, "ado")
    invariant = general(_INVARIANT) + ending(stems, "able")
    masculine, feminine = adjectives + invariant, each(adjectives, _feminine) + invariant
    return _verbs(stems + each(stems, lambda stem: "des" + stem)) | {
        "NM": males,
        "NF": females,
        "NMP": each(males, _plural),
        "NFP": each(females, _plural),
        "AM": masculine,
        "AF": feminine,
        "AMP": each(masculine, _plural),
        "AFP": each(feminine, _plural),
        "INV": invariant,
        "INVP": each(invariant, _plural),
        "MANNER": each(general(_ADJECTIVES) + general(_INVARIANT), _manner),
        "ADV": general(_ADVERBS),
        "NAME": compound(general(_NAME_STARTS), general(_NAME_ENDS)),
        "NUM": numerals(4, 90),
        "YEAR": numerals(1890, 2024),
    }


def build() -> LanguageData:
    """Return the grammar and the columns of Spanish."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns(), repairs=_REPAIRS)
