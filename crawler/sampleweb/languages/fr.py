"""French: regular verbs of the first group in eight tenses, gender and number, elision."""

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
peintre tableau roman film chanteur musée poème théâtre concert violon dessin acteur orchestre
rythme |
marché contrat client budget bénéfice magasin fournisseur crédit salaire patron commerce
investissement |
logiciel clavier réseau écran serveur fichier navigateur dossier programme robot câble mémoire |
médecin malade vaccin muscle remède symptôme hôpital régime poumon nerf traitement pharmacien |
jardin tapis four rideau fauteuil couteau plancher panier potage légume fromage gâteau |
ministre journal parlement scandale témoin débat gouvernement sénateur vote procès conflit
discours |
voyageur port sentier hôtel lac bateau village pont désert campement rivage guide |
professeur élève livre chapitre dictionnaire cours examen diplôme texte collège mot manuel |
savant atome microscope volcan insecte cristal glacier climat télescope fossile laboratoire métal
|
manteau collier parfum rabais cadeau colis chapeau bijou foulard catalogue soulier tissu |
voisin curé mariage quartier monument citoyen paysan peuple métier baptême ancêtre conseil |
joueur gardien arbitre stade ballon tournoi coureur entraîneur match vélo nageur champion
"""
_NOUNS_F = """
toile galerie mélodie scène sculpture chanson danse peinture comédie guitare esquisse symphonie |
banque facture entreprise usine vente dette monnaie action marque prime société commande |
souris imprimante donnée touche application machine fenêtre requête sauvegarde interface base
version |
clinique maladie allergie blessure ordonnance vitamine douleur dent fièvre thérapie pilule grippe
|
cuisine lampe bougie couverture recette carotte cuillère soupe porte chambre armoire table |
élection presse loi enquête crise frontière réforme grève campagne séance ambassade nouvelle |
île montagne plage forêt rivière auberge vallée valise carte randonnée côte cascade |
école bibliothèque leçon question phrase encyclopédie page lecture note étude langue réponse |
planète étoile formule cellule théorie expérience molécule énergie espèce plante galaxie onde |
jupe montre robe chaussure ceinture bague boutique bourse livraison veste étoffe taille |
famille église fête tradition coutume communauté paroisse noce génération croyance légende mairie
|
équipe course victoire médaille ligue raquette défaite piste rencontre coupe saison piscine
"""
_VERBS = """
accept achet admir ador affirm aid ajout aliment amus apport appréci approuv arrêt assembl attir
augment bloqu brûl calcul cach casser cherch chant class command compar complèt compt concern
conseill conserv consult continu contrôl copi coup critiqu cuisin cultiv dans décid déclar découp
décor demand dessin développ dirig discut distribu donn dout échang écout éduqu élev élimin
embrass emport enseign entraîn envoy étudi évit examin expliqu explor exprim fabriqu ferm fêt form
frapp gagn gard goût guid habit imagin imit import invent invit jou jug laiss lanc lav li lou
manqu marqu mesur mont montr nettoy nomm not observ occup organis oubli parl partag pass pay peign
pens pleur port pos pratiqu prépar présent prêt prouv publi racont ramass rassur recommand regard
regrett rencontr répar respect retrouv salu sauv sign souhait soulign surveill termin touch
transform travers trouv utilis vant vers visit vol
"""
_ADJECTIVES = """
grand petit joli brillant charmant élégant étonnant important intéressant puissant récent savant
suffisant vivant chaud froid lourd profond rond sourd bavard clair dur noir pur sûr mûr obscur
étroit droit parfait discret complet secret inquiet prêt court fort vert ouvert plat content
absent différent excellent fréquent innocent patient prudent violent latin voisin fin certain
humain ancien quotidien moyen bon européen général national local royal social normal central
régional légal génial naturel officiel réel mortel cruel éternel habituel manuel actuel individuel
bleu carré doré fermé usé salé sucré âgé isolé serré animé décidé élevé poli joyeux curieux
précieux sérieux heureux nombreux dangereux courageux délicieux généreux mystérieux silencieux
actif attentif vif naïf sportif
"""
_INVARIANT = """
jeune rapide simple libre rare riche pauvre calme utile difficile facile fragile agréable aimable
célèbre énorme large tranquille moderne sombre sauvage solide timide triste vaste étrange rouge
jaune fidèle honnête immense magnifique possible terrible classique pratique publique historique
"""
_ADVERBS = """
souvent toujours jamais parfois déjà bientôt aujourd'hui hier demain encore peut-être presque
ensuite enfin surtout aussi ici partout ailleurs longtemps vraiment
"""
_NAME_STARTS = """
Beau Belle Bon Clair Grand Haute Mont Vaux Ville Franche Riche Neuf Saint-Martin- Rocque Roche
Cour Champ Pierre Bois Blanc Rouge Font Puy Val Château Chaume Mar Or Lan Bar Char Cham Fleur Gran
Lor
"""
_NAME_ENDS = """
ville mont court fort val bourg lieu pré champ fontaine pierre vallon rive noy ay ières igny ac
elle oncourt éry ont
"""
_GRAMMAR = """
DM: 6 le | 3 un | ce | mon/son/leur/notre | chaque
DF: 6 la | 3 une | cette | notre/leur/votre | chaque
DP: 6 les | 4 des | ces | ses/leurs/nos | plusieurs/quelques | NUM
SG: 4 DM NM | 4 DF NF | 3 DM NM AM | 3 DF NF AF | DM NM de NAME | NAME
  | 2 DF NF AF de le NM | 2 DM NM de la NF
PL: 3 DP NMP | 3 DP NFP | 3 DP NMP AMP | 3 DP NFP AFP | DP NMP et DP NFP | les NFP de NAME
  | 2 DP NMP de la NF | les NFP de les NMP
O: SG | PL
PREP: dans/sur/sous/avec/pour/sans/chez/par/vers/contre/entre/pendant/depuis/après/avant
PP: 4 PREP SG | 3 PREP PL | à SG | en YEAR | durant DF NF | grâce à DM NM
V3: 4 PRES | 3 IMP | 2 FUT | 2 PAS | COND | a PPM | avait PPM | ne PRES pas/plus/jamais
V3P: 4 PRESP | 3 IMPP | 2 FUTP | 2 PASP | CONDP | ont PPM | avaient PPM | ne PRESP pas/plus/jamais
MOD: peut/doit/veut/va/pouvait/devait/voudrait
MODP: peuvent/doivent/veulent/vont/pouvaient/devaient
VP: 6 V3 MANNER? O | 2 MOD INF O | reste A et A PP | était très A chez NAME | se PRES PP
VPP: 6 V3P MANNER? O | 2 MODP INF O | sont A et A PP | se PRESP PP
A: INV
CL: 5 SG VP | 4 PL VPP | DM NM qui V3 O VP | DF NF que SG V3 VP | on V3 O | voici NUM NFP PP
  | il/elle V3 O | ils/elles V3P O
CLX: 4 CL | 3 CL PP | 2 ADV , CL | PP , CL | en PART O , CL
KON: 6 car/mais/donc/et/puisque/lorsque | parce que | tandis que
S: 5 CLX | 4 CL KON CL | 2 CLX , mais CL | 2 SUB2 CL , CL | 2 SG V3 que CL | afin de INF O , CLX
SUB2: quand/lorsque/si/comme/puisque
T: comment INF O PP | le NM et la NF de NAME | DP NFP AFP PP | pourquoi SG V3 O | INF O
  | les NMP de la NF
L: 3 NMP | 3 NFP | NMP AMP | NFP AFP | NMP et NFP | NAME | NM de NAME
"""
_REPAIRS = (
    (r"\bde le ", "du "),
    (r"\bde les ", "des "),
    (r"\b([Àà]) le (?=[^aeiouyéèêâîôhÉ])", "au "),
    (r"\b[Àà] les ", "aux "),
    (r"\b([dljnsqDLJNSQ]u?)[ea] (?=[aeiouyéèêâîôhAEIOUYÉ])", r"\1'"),
    (r"\bsi ils? ", "s'il "),
    (r"\bce (?=[aeiouéêîh])", "cet "),
)
# the ending of the masculine, that of the feminine
_FEMININE = (("eux", "euse"), ("if", "ive"), ("el", "elle"), ("ien", "ienne"), ("bon", "bonne"))
_TENSES = {
    "PRES": ("e", "ent"),
    "IMP": ("ait", "aient"),
    "FUT": ("era", "eront"),
    "PAS": ("a", "èrent"),
    "COND": ("erait", "eraient"),
}


def _feminine(adjective: str) -> str:
    for masculine, feminine in _FEMININE:
        if adjective.endswith(masculine):
            return adjective.removesuffix(masculine) + feminine
    return adjective + "e"


def _plural(word: str) -> str:
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith("al"):
        return word[:-1] + "ux"
    return word + ("x" if word.endswith("eau") else "s")


def _manner(adjective: str) -> str:
    if adjective.endswith(("ant", "ent")):
        return adjective[:-2] + "mment"
    return _feminine(adjective) + "ment"


def _join(stem: str, suffix: str) -> str:
    """Put *suffix* to a verb, softening g and c before a and o."""
    if suffix[0] in "aâo":
        stem = re.sub(r"g$", "ge", re.sub(r"c$", "ç", stem))
    return stem + suffix


def _again(stem: str) -> str:
    return ("r" if stem[0] in "aeéiou" else "re") + stem


def _verbs(stems: Column) -> dict[str, Column]:
    def form(suffix: str) -> Column:
        return each(stems, lambda stem: _join(stem, suffix))

    columns = {"INF": form("er"), "PPM": form("é"), "PART": form("ant")}
    for tense, (singular, plural) in _TENSES.items():
        columns |= {tense: form(singular), f"{tense}P": form(plural)}
    return columns


def _columns() -> dict[str, Column]:
    stems = general(_VERBS)
    agents = each(stems, lambda stem: _join(stem, "eur"))
    males = topical(_NOUNS_M) + agents
    females = topical(_NOUNS_F) + each(stems, lambda stem: _join(stem, "euse"))
    adjectives = general(_ADJECTIVES)
    invariant = general(_INVARIANT) + each(stems, lambda stem: _join(stem, "able"))
    again = [(_again(stem), home) for stem, home in stems if not stem.startswith(("r", "h"))]
    masculine, feminine = adjectives + invariant, each(adjectives, _feminine) + invariant
    return _verbs(stems + again) | {
        "NM": males,
        "NF": females,
        "NMP": each(males, _plural),
        "NFP": each(females, _plural),
        "AM": masculine,
        "AF": feminine,
        "AMP": each(masculine, _plural),
        "AFP": each(feminine, _plural),
        "INV": invariant,
        "MANNER": each(general(_ADJECTIVES), _manner) + ending(general(_INVARIANT), "ment"),
        "ADV": general(_ADVERBS),
        "NAME": compound(general(_NAME_STARTS), general(_NAME_ENDS)),
        "NUM": numerals(4, 90),
        "YEAR": numerals(1890, 2024),
    }


def build() -> LanguageData:
    """Return the grammar and the columns of French."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns(), repairs=_REPAIRS)
