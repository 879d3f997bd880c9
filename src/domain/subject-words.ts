// Words that can indicate the subject of a text. In addition to the stop words and common words of any chat
// (words.ts), these lists contain the function words of English, German, Spanish, French, Portuguese and
// Italian, and verbs and fillers that name no subject. Folded as by words.ts.

import { isContentWord } from './words.ts'

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
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

const PLAIN_VERBS_AND_FILLERS: ReadonlySet<string> = new Set(
  `add added adding agree agreed answer ask asked asking believe bring brings brought buy bought call calls care check checked
   choose clear close closed count cut decide decided doing draw drop dropped explain fall feel fill find found forget gave
   gets give given gives getting guess hand happen happened happens hate hear hold hope idea ideas join keep keeps kept know
   knows leave leaves left let lets list look looks lose lost lovely luck mean means meet met mind miss morning note noted
   offer open paid pass pay perfect pick plan plans point possible pull push put putting read reads ready real reason
   remember remind reply rest right ring round safe save says see seems sees send sends sent set sets shows sign sit small
   sound spend split stand stop stuff suggest swear talk talked talking tell tells thing things think thought thoughts till
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
  return word.length > 2 && isContentWord(word) && !FUNCTION_WORDS.has(word)
}

/** Could be the subject of a text. */
export function isSubjectWord(word: string): boolean {
  return isTelling(word) && !PLAIN_VERBS_AND_FILLERS.has(word)
}
