// The few words by which statements are recognized, in English, German, Spanish, French, Portuguese and Italian: what makes
// a clause a question, a guess or a condition; what makes it a rule, a change or an end; which verbs speak of things that
// last. Names, numbers and dates carry the rest. All languages apply at once, because people mix them; words that mean
// something else in another of these languages are left out.

import { alternatives } from '../../../domain/expression.ts'

const words = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu')

/** A guess, a wish, a plan that is not decided, or a joke: nothing of the clause is kept. */
export const HEDGED: RegExp = words(alternatives`
  maybe|perhaps|might|could|would|wouldn't|should|shouldn't|probably|possibly|wish|imagine|suppose|pretend|what if|
  not sure|unsure|wonder|wondering|hypothetical\w*|in theory|\p{L}+'d (?:be|have|like|love|rather|prefer|say|want|need|go|get|take)|as if|as though|joking|kidding|jk|lol|
  haha|apparently|allegedly|rumou?r|considering|thinking (?:of|about)|dream\w*|fingers crossed|hopefully|let's say|
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

/** Function words and plain verbs beyond `SMALL_WORDS`: they say nothing about what a clause is about. Folded. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `say says said tell told talk talked till until by per via plus onto upon also again away around along already almost
   another because both each either enough ever every few first goes gone half having here however into less least many
   maybe mine more most much must neither none nor often once ones other others ours own please quite rather same second
   several shall since some soon still such sure than their them then these they third this those three through together
   too twice two under until very were what when where which while whole whose why will within without yet your yours
   cost costs costing start starts started begin begins end ends ended move moves moved moving change changes changed take
   takes took come comes came use uses used need needs want wants wanted work works live lives stay stays run runs got gets
   thats its hes shes theyre theres btw pls news sad done fine
   aber alle allem allen alles als also andere auch auf aus bei beim bin bis bist bitte da dabei dafur damit dann das dass
   dein deine dem den denn der des dich die dies diese dieser dir doch dort du durch ein eine einem einen einer eines er
   erst es etwas euch fur ganz geht gegen gibt gut hab habe haben hast hat hatte hier hin ich ihm ihn ihr ihre im immer in
   ist ja jede jeder jedes jetzt kann kein keine kommt machen macht mal man mehr mein meine meiner meinem meinen mich mir
   mit muss nach nicht nichts nie noch nun nur nix ob oder ohne schon sehr sein seine sich sie sind so sonst soll uber um
   und uns unser unsere vom von vor war warum was weil weiter wenn wer wie wieder will wir wird wo wurde zu zum zur zwei
   drei vier kostet kosten beginnt endet fangt fahrt wohnt arbeitet heisst nen ner selbst selber darf steht stand waren gleich
   al algo alli antes aqui asi aun aunque cada casi como con cual cuando de del desde dia donde dos el ella ellas ellos en
   entre era eres es esa ese eso esta estan estar este esto estos fue ha hace hacer hacia han hasta hay he la las le les
   lo los mas me mejor mi mis mucho muy nada ni nos nosotros o otra otro para pero poco por porque pues que quien se sea
   ser si sido sin sino sobre solo son soy su sus tal tambien tan te tengo tenia ti tiene todo todos tu un una unos va van
   vez y ya yo dice dicho dijo viene vienen queda lleva pone deja dejan cuesta cuestan empieza termina llega vive trabaja llama
   afin ai alors apres assez au aussi autre aux avait avant avec avoir beaucoup bien c ca ce ceci cela celle celui ces cet
   cette chez comme dans de depuis des deux dire dit donc du elle elles en encore entre est et etait ete etre eu eux fait
   faire faut il ils j jusqu la le les leur leurs lui ma mais me meme mes moi moins mon ne ni non nos notre nous on ont ou
   par parce pas peu peut plus pour pourquoi puis qu quand que quel quelle qui rien sa sans se sera ses si son sont sous
   sur ta te tes toi ton tous tout tres tu un une va vers voici voila vos votre vous y
   agora ainda algum alguma ao aos apenas aquele aqui as assim ate bem boa bom cada com como contra da das de dela dele
   depois desde disse do dois dos e ela elas ele eles em entao entre era essa esse esta estao estar estava este eu foi for
   fui ha ia isso isto ja la lhe lo mais mas me mesmo meu meus minha muito na nada nao nas nem no nos nossa nosso num numa
   o os ou outra outro para pela pelo por porque pra pro qual quando que quem se seja sem ser seu seus so sobre sua suas
   ta tambem te tem tenho ter teve ti tinha tudo custa custam vence comeca termina mora trabalha chama um uma umas uns vai vem voce voces mes meses dia dias quilo
   a abbiamo agli ai al alla alle allo anche ancora avere aveva c che chi ci cio come con contro cosa cui da dagli dai dal
   dalla de degli dei del della delle di dopo dove e ecco ed era erano essere fa fare fino fra gia gli ha hai hanno ho i il
   in io la le lei li lo loro lui ma me meno mi mia mie mio molto ne nei nel nella noi non nostro o ogni ora per perche
   piu poi pero piu prima qua quando quanto quella quelle quello questa queste questi questo qui quindi sara se sei senza
   si sia siamo sono sta stata stato sto su sua sue sul sulla suo te ti tra tre tu tua tuo tutti tutto un una uno va vai
   vi viene voi testa tocca costa costano inizia finisce entra abita lavora chiama`.split(/\s+/),
)

/** How the speaker wants things from now on. */
export const STANDING: RegExp = words(alternatives`
  always|never|from now on|every time|whenever|only ever|no more|rule|rules|banned|forbidden|
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

/** Somebody else's account of their own affairs, or what they think of the speaker. */
export const HEARSAY: RegExp =
  /(?<![\p{L}])(?:says?|said|claims?|swears?|thinks?|told me|reckons?|behauptet|meint|sagt|erzählt|dice|dit|disse|diz)(?![\p{L}]).*(?<![\p{L}])(?:hers|theirs|had|was|were|i|i'm|my|hatte|war|ich|mein|tenía|era|avait|était|tinha|aveva)(?![\p{L}])/iu

/** Something changed: what was said of it before holds no longer. */
export const CHANGED: RegExp = words(alternatives`
  now|instead|moved|moves|moving|changed|changes|switched|switching|pushed|postponed|new|no longer|not any ?more|any ?more|
  raised|raising|lowered|up to|after all|back to|going back|takes over|took over|replaced|renamed|becomes|actually|final|
  finally|corrected|correction|overruled|scrap that|rather than|→|->|
  jetzt|nun|statt|stattdessen|verschoben|geändert|erst|nicht mehr|doch|neu|neue[rsnm]?|ab|nachgezogen|übernimmt|
  ahora|en vez de|en lugar de|cambi\w+|ya no|nuev[oa]s?|al final|movid\w+|aplazad\w+|sub\w+|
  maintenant|désormais|au lieu de|changé\w*|ne plus|nouve\w+|finalement|déplacé\w*|repoussé\w*|
  agora|em vez de|mud\w+|não mais|nov[oa]s?|no fim|adiad\w+|subiu|troquei|trocamos|
  adesso|ora|invece di|invece|cambiat\w+|non più|nuov[oaie]|alla fine|spostat\w+|slitta|passa`)

/** It is over: nothing takes its place. */
export const ENDED: RegExp = words(alternatives`
  cancelled|canceled|called off|(?:is|are|was|'s) out|is over|is dead|dropped|gone|sold|quit|ended|history|in the bin|withdrew|withdrawn|goodbye|renamed|leaving|no longer|any ?more|no more|out of the question|nicht mehr|ya no|non più|não mais|ne plus|
  abgesagt|vorbei|gekündigt|verkauft|raus|weg|gestrichen|
  cancelad[oa]|terminad[oa]|vendid[oa]|fuera|
  annulé\w*|terminé\w*|vendu\w*|fini\w*|
  cancelad[oa]|acabou|vendi|vendid[oa]|chega|
  annullat[oa]|finit[oa]|vendut[oa]|saltat[oa]`)

/** Verbs and nouns of what lasts: who somebody is, what was decided, what is due, what things cost. */
export const DURABLE: RegExp = words(alternatives`
  born|birthday|live|lives|living|work|works|working|job|boss|wife|husband|partner|daughter|son|mother|father|mum|mom|dad|sister|brother|
  cousin|friend|allerg\w+|vegetarian|vegan|intoleran\w+|diabet\w+|migraine|called|named|name|address|phone|number|e-?mail|own|owns|owner|
  decided|decision|going with|went with|go with|settled on|chose|picked|agreed|signed|booked|reserved|bought|sold|hired|use|uses|using|
  due|deadline|until|till|by|starts?|begins?|ends?|leave|launch\w*|release\w*|ships?|goes live|go-live|goes out|freeze|
  costs?|price|rent|budget|limit|cap|capped|salary|rate|policy|code|version|build|port|cluster|hosted|runs?|written|
  handles?|handling|responsible|in charge|takes over|owns|mine|
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

/** In a story the people and things are made up. */
export const FICTION: RegExp = words(alternatives`
  novel|screenplay|short story|fantasy story|heroine|protagonist|my character|main character|working title|manuscript|
  roman|drehbuch|kurzgeschichte|heldin|novela|guion|protagonista|scénario|héroïne|romance|roteiro|romanzo|sceneggiatura`)

export const FIRST_PERSON: RegExp = words(alternatives`
  i|i'm|i've|i'll|my|me|mine|we|we're|we've|we'll|our|us|ours|ich|mir|mich|mein\w*|wir|uns|unser\w*|
  yo|mi|mis|me|nosotr[oa]s|nuestr[oa]s?|je|j'ai|mon|ma|mes|moi|nous|notre|nos|eu|meu|minha|nós|nosso|nossa|io|mio|mia|miei|noi|nostr[oa]`)

/** What a sentence often begins with and does not need. */
export const OPENING: RegExp =
  /^(?:(?:ok|okay|so|and|also|oh|ah|well|hey|hi|btw|und|y|e|ps|news|update|done|yes|yep|ja|no)[,.:\s]+)+/iu
