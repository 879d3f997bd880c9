// The few words by which statements are recognized, in English, German, Spanish, French, Portuguese and Italian: what makes
// a clause a question, a guess or a condition; what makes it a rule, a change or an end; which verbs speak of things that
// last. Names, numbers and dates carry the rest. All languages apply at once, because people mix them; words that mean
// something else in another of these languages are left out.

import { alternatives } from '../../../domain/multiline-regexp.ts'

const words = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu')

/** A guess, a wish, a plan that is not decided, or a joke: nothing of the clause is kept. */
export const HEDGED: RegExp = words(alternatives`
  maybe|perhaps|might|could|would|wouldn't|should|shouldn't|probably|possibly|wish|imagine|suppose|pretend|what if|
  i hope|i heard|i(?: have|'ve)? (?:read|told|lied|dreamt|dreamed|joked|pretended)|trying to|try to|find out|by mistake|not sure|unsure|wonder|wondering|hypothetical\w*|in theory|\p{L}+'d (?:be|have|like|love|rather|prefer|say|want|need|go|get|take)|as if|as though|joking|kidding|jk|lol|
  haha|apparently|allegedly|rumou?r|considering|thinking|dream\w*|fingers crossed|hopefully|let's say|
  vielleicht|wahrscheinlich|vermutlich|eventuell|würde\w*|würd|wäre\w*|wär|hätte\w*|könnte\w*|sollte\w*|angeblich|hoffentlich|
  quizás?|tal vez|a lo mejor|ojalá|sería\w*|podría\w*|supongo|igual|
  peut-être|sans doute|serait|aurait|pourrait|faudrait|
  talvez|quem sabe|seria|poderia|tomara|sonhando|
  forse|magari|chissà|sarebbe|potrebbe|vorrei|pensavamo|pensavo`)

/** Everything after it holds only under a condition. */
export const CONDITION: RegExp = words(alternatives`if|unless|in case|falls|wenn|si|se|caso|à moins que`)

const ASKING = new RegExp(
  `^(?:${alternatives`
  what|which|who|whose|where|why|how|can|could|should|do|does|did|welche\\w*|wer|wo|wann|warum|wieso|kann|kannst|
  qué|cuál\\w*|dónde|cuándo|pourquoi|comment|quem|onde|puoi|posso|dove`})(?![\\p{L}\\p{N}'’])`,
  'iu',
)

/** A question, with its mark or without. */
export function isAsked(sentence: string): boolean {
  return /[?¿？]["')\s]*$/u.test(sentence) || ASKING.test(sentence.trim())
}

/** What the speaker wants of the assistant right now: no statement. */
export const REQUEST: RegExp = new RegExp(
  `^(?:(?:ok|okay|so|and|also|now|please|pls|then|und|also|dann|bitte|y|e|ah|oh|well|hey|hi)[\\s,]+)*(?:${alternatives`
  help|write|make|give|show|tell|explain|draft|list|find|add|put|check|compare|summari[sz]e|translate|rewrite|suggest|
  remind|let's|can you|could you|would you|will you|change|swap|remove|merge|sort|export|plot|draw|
  schreib\w*|mach\w*|gib|zeig\w*|erklär\w*|nenn\w*|such\w*|such|hilf\w*|änder\w*|stell\w*|kannst du|
  escribe|haz|hazme|dame|muestra|explica|ayúdame|busca|pon|puedes|
  écris|fais|donne|montre|explique|aide|peux-tu|
  escreve|faz|me dá|mostra|explica|ajuda|pode|
  scrivi|fammi|dammi|mostra|spiega|aiutami|cerca|puoi`})(?![\\p{L}])`,
  'iu',
)

/** How the speaker wants things from now on. */
const ENGLISH_RULE =
  'always|never|from now on|every time|whenever|only ever|no more|rule|rules|banned|forbidden'
export const ENGLISH_STANDING: RegExp = words(ENGLISH_RULE)
export const STANDING: RegExp = words(alternatives`
  ${ENGLISH_RULE}|
  immer|nie|niemals|ab jetzt|ab sofort|künftig|nur noch|kommt nicht in frage|regel|
  siempre|nunca|jamás|a partir de ahora|de ahora en adelante|cada vez|
  toujours|jamais|désormais|à partir de maintenant|à chaque fois|
  sempre|a partir de agora|de agora em diante|toda vez|
  mai|d'ora in poi|ogni volta|da ora in poi`)

/** It is addressed to the assistant or put up as a rule, and does not only say "never" or "always". */
export const AS_RULE: RegExp = words(alternatives`
  please|pls|plz|from now on|every time|whenever|rules?|banned|forbidden|nothing|i want|i'd like|i hate|don't|do not|
  bitte|ab jetzt|ab sofort|künftig|regel|kommt nicht in frage|
  por favor|a partir de ahora|de ahora en adelante|cada vez que|no quiero|
  s'il te plaît|s'il vous plaît|svp|désormais|à partir de maintenant|
  a partir de agora|de agora em diante|toda vez que|sempre que|
  per favore|d'ora in poi|da ora in poi|ogni volta che`)

/** What others say about themselves, or what they think about the speaker. */
export const HEARSAY: RegExp =
  /(?<![\p{L}])(?:says?|said|claims?|swears?|thinks?|told me|reckons?|behauptet|meint|sagt|erzählt|dice|dit|disse|diz)(?![\p{L}]).*(?<![\p{L}])(?:hers|theirs|had|was|were|i|i'm|my|hatte|war|ich|mein|tenía|era|avait|était|tinha|aveva)(?![\p{L}])/iu

/** "I said vegetarian": the speaker repeats what is known from the message in which it was said. */
export const REPEATED: RegExp =
  /^(?:but |aber |pero |mais |mas |ma |hey,? )?(?:as )?(?:i(?:['’]ve)? (?:just |already )?(?:said|told you|mentioned|meant)|ich (?:hab\p{L}* (?:doch )?(?:schon )?gesagt|sagte|meinte)|(?:ya )?(?:te )?(?:he dicho|dije)|j['’]ai (?:déjà )?dit|je t['’]ai dit|eu (?:já )?disse|(?:te l['’])?ho (?:già )?detto)(?!\p{L})/iu

/** Verbs and nouns of what lasts: who somebody is, what was decided, what is due, what things cost. */
export const DURABLE: RegExp = words(alternatives`
  born|birthday|live|lives|living|work|works|working|job|boss|wife|husband|partner|daughter|son|mother|father|mum|mom|dad|sister|brother|
  cousin|friend|allerg\w+|vegetarian|vegan|intoleran\w+|diabet\w+|migraine|called|named|name|address|phone|number|e-?mail|own|owns|owner|
  decided|decision|going with|went with|go with|settled on|chose|picked|agreed|signed|booked|reserved|bought|sold|hired|use|uses|using|
  due|deadline|until|till|by|starts?|begins?|ends?|leave|launch\w*|release\w*|ships?|goes live|go-live|goes out|freeze|
  costs?|price|rent|budget|limit|cap|capped|salary|rate|policy|code|version|build|port|cluster|hosted|runs?|written|
  handles?|handling|responsible|in charge|takes over|owns|mine|übernimmt|übernehme|
  geboren|geburtstag|wohn\w+|arbeit\w*|chef\w*|frau|mann|freund\w*|tochter|sohn|mutter|vater|schwester|bruder|allerg\w+|vegetari\w+|heiß\w+|
  entschieden|nehmen|gebucht|unterschrieben|gekauft|miete|kaution|kostet|kosten|frist|bis|beginn|einzug|umzug|endet|termin|warm|netto|vermieter\w*|eigentümer\w*|
  nac\w+|cumpleaños|vivo|vive|vivimos|trabaj\w+|jef[ea]|mujer|marido|hij[oa]|madre|padre|herman[oa]|alérgic\w+|vegetarian[oa]|llam\w+|
  decid\w+|reservad\w+|comprad\w+|firmad\w+|precio|alquiler|cuesta\w*|presupuesto|plazo|hasta|empieza\w*|termina\w*|entrega|factura|pago|
  né\w*|anniversaire|habit\w+|travaill\w+|femme|mari|fille|fils|mère|père|sœur|frère|allergi\w+|végétarien\w*|appell\w+|décid\w+|réserv\w+|achet\w+|
  signé\w*|prix|loyer|coûte\w*|budget|délai|jusqu\w+|commence\w*|finit|
  nasc\w+|aniversário|mora\w*|trabalh\w+|chefe|esposa|marido|filh[oa]|mãe|pai|irmã\w*|irmão|alérgic\w+|vegetarian[oa]|cham\w+|sou|
  decidi\w*|fechei|fechamos|comprei|assin\w+|preço|aluguel|custa\w*|prazo|até|começa\w*|vence|vale|entrega|férias|boleto|conta\w*|
  nat[oa]|compleanno|abit\w+|viv\w+|lavor\w+|capo|moglie|marito|figli[oa]|madre|padre|sorella|fratello|allergic[oa]|vegetarian[oa]|chiam\w+|
  decis\w+|prenotat\w+|comprat\w+|firmat\w+|prezzo|affitto|costa\w*|scadenza|fino|inizia\w*|finisce|esame|voto|media|codice|entra|studi\w+`)

/** What a person is or cannot have: worth keeping without a date or an amount. */
export const OF_PERSON: RegExp = words(alternatives`
  allerg\w+|vegetarian|vegan|coeliac|celiac|asthma|diabet\w+|migraines?|\w*intoleran\w*|injur(?:y|ed)|hurts|turns \d+|
  (?:can't|cannot|mustn't|doesn't|don't|must not) (?:eat|have|drink)|lives? (?:in|at)|works? (?:at|for|as)|
  asthma\w*|zöliakie|vegetari\w+|(?:darf|verträgt|vertrage) kein\w*|wird (?:am|\d+)|wohn(?:e|t|en) in|arbeite[nt]? (?:bei|als)|
  celíac[oa]|alérgic[oa]\w*|vegetarian[oa]|vegan[oa]|asm[aá]\w*|no pued\w+ (?:comer|beber|tomar)|cumpl\w+ \d+|vive en|vivo en|trabajo en|trabaja en|
  végétarien\w*|cœliaque|asthme|ne (?:peut|peux|doit) pas (?:manger|boire)|mal (?:au|à la|aux)|habite|travaille|
  allergic[oa]|celiac[oa]|asm\w+|non può (?:mangiare|bere)|non posso (?:mangiare|bere)|compie \d+|lavoro (?:allo|al|alla|in|per)|lavora (?:allo|al|alla|in|per)`)

/** In a story the people and things are made up. */
export const FICTION: RegExp = words(alternatives`
  novel|screenplay|short story|fantasy story|heroine|protagonist|my character|main character|working title|manuscript|
  roman|drehbuch|kurzgeschichte|heldin|novela|guion|protagonista|scénario|héroïne|romance|roteiro|romanzo|sceneggiatura`)

export const FIRST_PERSON: RegExp = words(alternatives`
  i|i'm|i've|i'll|my|me|mine|we|we're|we've|we'll|our|us|ours|ich|mir|mich|mein\w*|wir|uns|unser\w*|
  yo|mi|mis|me|nosotr[oa]s|nuestr[oa]s?|je|j'ai|mon|ma|mes|moi|nous|notre|nos|eu|meu|minha|nós|nosso|nossa|io|mio|mia|miei|noi|nostr[oa]`)

/** What a sentence often begins with and does not need. */
export const OPENING: RegExp =
  /^(?:(?:ok|okay|so|and|also|oh|ah|well|hey|hi|btw|und|y|e|ps|news|update|done|yes|yep|ja)[,.:\s]+|no[,.:]\s+)+/iu

/** What was said right before is taken back. */
export const TAKEN_BACK: RegExp =
  /^(?:no,? wait|scratch that|scrap that|forget (?:that|it)|nein,? warte|no,? espera|olvídalo|non,? attends|não,? espera|esquece|no,? aspetta|anzi no)(?!\p{L})/iu
