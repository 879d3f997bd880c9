// Words that can indicate the subject of a text: neither stop words and common words of any chat (words.ts), nor
// function words (function-words.ts), nor the verbs and fillers listed here. Folded as by words.ts.

import { FUNCTION_WORDS } from './function-words.ts'
import { isContentWord } from './words.ts'

const ALL_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  Object.values(FUNCTION_WORDS).flatMap((words) => [...words]),
)

/** Plain in any sentence, and words of a question all the same: "What does it cost?" */
const PLAIN_WORDS: ReadonlySet<string> = new Set(
  `say says said tell told talk talked till until via onto upon also again away around along already almost another
   because both each either enough ever every few first goes gone half having here however into less least many maybe
   mine more most much must neither none nor often once ones other others ours own please quite rather same second
   several shall since some soon still such sure than then third three through together too twice two under very
   while whole within without yet yours cost costs costing start starts started begin begins end ends ended move
   moves moved moving change changes changed take takes took comes came use uses used need needs want wants wanted
   work works live lives stay stays run runs got gets thats its hes shes theyre theres btw pls news sad done allem
   allen alles als andere bitte dabei dass dies diese dieser doch dort durch erst etwas ganz gut hab hier hin immer
   jede jeder jedes kommt machen macht man mehr nichts nie nun nix ob sehr sich sonst weil weiter wenn wieder zwei
   drei vier kostet kosten beginnt endet fangt fahrt wohnt arbeitet heisst nen ner selbst selber steht stand gleich
   algo alli antes aqui asi aunque cada casi dia eres estar mejor mucho nada ni otra otro poco pues sea sido sino
   solo soy tal tan tenia todo todos vez dice dicho dijo viene vienen queda lleva pone dejan cuesta cuestan empieza
   termina llega vive trabaja llama afin alors assez aussi autre beaucoup bien c ceci cela celle celui comme deux
   dire dit donc eux faut j jusqu leurs meme moins parce peu puis qu rien sera tous tout tres voici voila algum
   alguma ao aos apenas assim bem boa bom contra dela dele depois disse dois entao fui ia mesmo nem num numa outra
   outro seja teve tudo custa custam vence comeca mora trabalha chama vem meses dias quilo cio contro cui dagli dai
   ecco ed meno ogni poi qua quindi sara sei sia sto tre tutti tutto testa tocca costa costano inizia finisce entra
   abita lavora chiama`.split(/\s+/),
)

const PLAIN_VERBS_AND_FILLERS: ReadonlySet<string> = new Set(
  `add added adding agree agreed answer ask asked asking believe bring brings brought buy bought call calls care check checked
   choose clear close closed count cut decide decided doing draw drop dropped explain fall feel fill find found forget gave
   gets give given gives getting guess hand happen happened happens hate hear hold hope idea ideas join keep keeps kept know
   knows leave leaves left let lets list look looks lose lost lovely luck mean means meet met mind miss morning note noted
   offer open paid pass pay perfect pick plan plans point possible pull push put putting read reads ready real reason
   remember remind reply rest right ring round safe save says see seems sees send sends sent set sets shows sign sit small
   sound spend split stand stop stuff suggest supposed swear talk talked talking tell tells thing things think thought thoughts till
   time times took total true try trying turn type understood usual wait wanted watch wear whatever wish word words write
   writes writing wrong wrote yes yet absolutely actually already basically certainly completely especially exactly finally
   honestly instead literally obviously possibly probably simply usually question questions thanks problem sense
   machen macht gemacht sagen sagt gesagt finde finden genau okay klar danke super richtig bitte frage fragen lieber
   wirklich eigentlich einfach vielleicht natürlich hacer hago hecho pregunta vale gracias claro bueno buena verdad cosa
   cosas faire fait question merci bien chose fazer faz feito pergunta obrigada certo coisa fare fatto domanda grazie
   bene cosa cose sapere
   minute minutes hour hours day days week weeks month months year years today tomorrow yesterday tonight starting
   minuten stunde stunden tag tage tagen woche wochen monat monate jahr jahre jahren heute morgen gestern minutos hora
   horas dia dias semana semanas mes meses ano anos hoy manana ayer minutes heure heures jour jours semaine semaines
   mois annee annees hoje amanha ontem minuti ora ore giorno giorni settimana settimane mese mesi anno anni notte notti
   oggi domani ieri`.split(/\s+/),
)

/** Not a function word; may be a plain verb. */
export function isTelling(word: string): boolean {
  return word.length > 2 && isContentWord(word) && !ALL_FUNCTION_WORDS.has(word) && !PLAIN_WORDS.has(word)
}

/** Could be the subject of a text. */
export function isSubjectWord(word: string): boolean {
  return isTelling(word) && !PLAIN_VERBS_AND_FILLERS.has(word)
}
