import { wordList } from '../facts/text/word-list.ts'

// Given names that are common somewhere and rarely mean anything else. Enough to distinguish most people from
// things without another cue. "Mark", "Will" and "Grace" are left out because they are also words.

const GIVEN_NAMES = wordList(
  `aaron abdul abigail adam adrian agnes ahmed aisha alan albert alejandro alex alexander alexandra ali alice alicia
   alison amanda amelia amina amir amy ana anastasia andrea andreas andrew andy angela anita anja ann anna anne annika
   anthony antonio arjun arthur astrid barbara beatrice ben benjamin bernard beth bianca bjorn bob brandon brian
   bruno camila carla carlos carmen carol caroline catherine cecilia charles charlotte chen chloe chris christian
   christina christopher claire clara claudia colin craig crystal cynthia daniel daniela danielle darryl david deborah
   denise dennis derek diana diego dimitri dmitri dominic donald dorothy douglas edward eleanor elena elias elisabeth
   elizabeth ella ellen emily emma enrique eric erica erik ernesto esther ethan eva evan evelyn fatima felix fernando
   fiona florian francesca francesco francis francisco frederik gabriel gabriela gary george gerald giovanni giulia
   gloria greg gregory greta guillaume gustav hannah hans harold harriet harry hassan heather heidi helen helena henrik
   henry hiroshi hugo ian ibrahim igor ingrid irene isaac isabel isabella ivan jack jacob jacqueline james jamie jan
   jana jane janet jason javier jean jeffrey jennifer jeremy jessica jim joan joanna joe johan johanna johannes john
   jonas jonathan jorge jose joseph joshua josh juan judith julia julian juliana julie karen karim karin karl kate
   katharina katherine kathleen katie keith kelly kenji kenneth kevin khalid kimberly klaus kofi kristin kumar kyle
   lars laura lauren lea leila lena leo leonard leonardo liam lina linda lisa louis louise luca lucas lucia lucy luis
   lukas luke magnus malik manuel marco marcus margaret maria mariam marie marina mario markus marta martha martin
   mary mateo mathias matt matthew maureen maurice max maya megan mehmet mei melanie melissa mia michael michelle miguel
   mikhail miriam mohamed mohammed monica nadia natalia natalie natasha nathan neil nicholas nicolas nicole nikolai nina
   noah nora oleg olga oliver olivia omar oscar otto pablo pamela patricia patrick paul paula pedro peter philip
   philippe pierre priya rachel rafael rajesh ralph raquel raul ravi rebecca ricardo richard rob robert roberto robin
   roger ronald rosa ruth ryan sabine sally sam samantha samuel sandra sanjay sara sarah scott sean sebastian sergei
   sergio shannon sharon simon simone sofia sophia sophie stefan stella stephanie stephen steve steven stuart susan
   sven sylvia tamara tanya tatiana teresa theodore theresa thomas tim timothy tobias tom tomas tony tyler ursula
   valentina valerie vanessa vera veronica victor victoria viktor vincent virginia vivian vladimir walter wei wendy
   william wolfgang wyatt xavier yasmin yuki yusuf yvonne zainab zoe`,
)

/** Whether this word is a common given name. */
export function isGivenName(word: string): boolean {
  return /^\p{Lu}/u.test(word) && GIVEN_NAMES.has(word.toLowerCase())
}
