// What the form of a message shows about the course of the conversation, whatever its subject: people announce a
// new subject ("I'm looking for a …", "by the way"), close one ("thanks, that's all") and refer to the current
// one ("yes please", "how about that one?"). The phrases are compared with folded words (domain/words.ts), where
// "I'm" is "i m" and accents are removed.

import { isContentWord, listWords } from '../../domain/words.ts'

export interface MessageCues {
  /** It asks a question. */
  readonly isAsking: boolean
  /** It asks for something to be done, found or explained. */
  readonly isRequesting: boolean
  /** It introduces a new thing: "a train", "any museums". Known things have "the". */
  readonly isIntroducing: boolean
  /** It asks the other about themselves. Returning a question ("and you?") does not count. */
  readonly isAskingOther: boolean
  /** It refers to something with a pronoun. */
  readonly isReferringBack: boolean
  /** It begins like an answer or a continuation. */
  readonly isTakingUp: boolean
  readonly isThanking: boolean
  /** It closes a subject: "anything else?", "you're welcome", "that's all". */
  readonly isClosing: boolean
  readonly isGreeting: boolean
  /** It announces a change of subject. */
  readonly isShifting: boolean
  /** It is about the speaker's own life, which an assistant does not have. */
  readonly isPersonal: boolean
  /** Hardly any word names a subject: "the cheap one". */
  readonly isShort: boolean
  /** No word names a subject: "show me the top 5". */
  readonly isEmpty: boolean
  /** Some of its words are in the lists of this file, so a cue that was not found is really missing. */
  readonly isUnderstood: boolean
}

/** The form of a message shows at its start and its end. */
const READ_CHARACTERS = 600
const SHORT_WORDS = 1
const QUESTION_MARK = /[?？؟]/

const phrases = (lines: string): string => lines.trim().replaceAll(/\s*\n\s*/g, '|')
const anywhere = (lines: string): RegExp => new RegExp(`(?:^| )(?:${phrases(lines)})(?= |$)`)
const atStart = (lines: string): RegExp => new RegExp(`^(?:${phrases(lines)})(?= |$)`)

const ASKING =
  atStart(`(?:(?:so|and|well|oh|hey|hi|ok|also) )*(?:is|are|does|do|did|will|would|can|could|should|has|have|was|were)
  (?:(?:so|and|well|oh|hey|hi|ok|also) )*(?:what|whats|where|when|which|who|whose|why|how)
  (?:was|wie|wo|wann|wer|warum|welche[rsn]?|gibt es|kannst|konnen|ist|sind)
  (?:que|cual|cuando|donde|quien|cuanto|hay|puedes|puede|qu|quel|quelle|ou|quand|comment|pourquoi|combien|peux|pouvez)
  (?:qual|quando|onde|quem|quanto|pode|dove|quale|chi|puoi|come)`)

const REQUESTING =
  anywhere(`i (?:m |am |also |just |really |ll |will )*(?:need|needed|want|wanted|would like|d like|looking|trying|have to)
  looking for
  (?:can|could) (?:you|i|u|we|someone)
  would you
  (?:is|are) there
  where (?:is|are|s|can|do)
  help me
  ich (?:brauche|suche|mochte|will|hatte gern)
  (?:kannst|konnen|konntest) (?:du|sie)
  (?:necesito|quiero|busco|quisiera|me gustaria)
  je (?:cherche|voudrais|veux)
  j ai besoin
  (?:preciso|quero|procuro|gostaria)
  (?:vorrei|voglio|cerco|ho bisogno)`)

const COMMANDING =
  atStart(`(?:please |also |now |ok |okay |car |hey )*(?:find|book|show|give|tell|set|schedule|remind|check|get|make|list|look|search|write|explain|create|add|draft|translate|summarize|compare|fix|plan|suggest|recommend)
  (?:please |also |now )*(?:what|what s|when|where|will|how (?:do|can|to))
  (?:bitte )?(?:finde|buche|zeig|zeige|such|suche|schreib|schreibe|erklare|erstelle|nenne)
  (?:busca|reserva|muestra|dime|escribe|explica|cherche|trouve|montre|ecris|explique|mostre|procure|escreva|cerca|trova|scrivi)`)

const INTRODUCING =
  anywhere(`(?:need|needs|want|wanted|looking|look|find|book|like|get|have|there|recommend|suggest|schedule|set|make|give|show|know|of|for|to|write|create|plan) (?:me |us |up |out |about |you |information on )?(?:a|an|some|any|another)
  (?:ein|eine|einen|una|unos|unas|un|une|um|uma)`)

const ASKING_OTHER = anywhere(`(?:do|are|have|did|were|can) (?:you|u)
  your
  yourself`)
const HANDING_BACK = anywhere(`(?:what|how) about (?:you|yours|yourself)
  and (?:you|yours|yourself)`)

const REFERRING_BACK = anywhere('(?:it|that|they|them|those|these|he|she|him|her|ones?|same)')

const TAKING_UP =
  atStart(`(?:yes|yeah|yep|yup|no|nope|nah|ok|okay|sure|great|perfect|awesome|alright|that|it|thats|fine|good|sounds|either|any|and|but|just|both|neither|or)
  (?:how|what) about
  (?:ja|nein|gut|und|aber|si|bueno|vale|y|pero|oui|non|d accord|et|mais|sim|nao|mas|va bene|ma)`)

const THANKING = anywhere(`thanks
  thank you
  thx
  cheers
  (?:danke|gracias|merci|obrigad[oa]|grazie)`)

const CLOSING = anywhere(`(?:anything|something) else
  (?:you re |you are |very |most )?welcome
  have a (?:great|good|nice|lovely|wonderful|safe)
  enjoy (?:your|the)
  good ?bye
  bye
  glad (?:i|to)
  any other
  that (?:s|is|will be) (?:all|everything|it)
  no problem
  anytime
  (?:noch etwas|sonst noch|gern geschehen|das ist alles|algo mas|de nada|eso es todo|autre chose|de rien|c est tout|mais alguma coisa|altro)`)

const GREETING = atStart(`(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day))
  (?:hallo|guten (?:tag|morgen|abend)|hola|buenos dias|bonjour|bonsoir|ola|ciao)`)

const SHIFTING = anywhere(`by the way
  btw
  another (?:thing|question|matter|topic|subject)
  on another note
  speaking of
  anyways?
  changing the subject
  different (?:subject|topic|question)
  one more thing
  what else
  so (?:what|do|tell)
  tell me (?:more )?about you(?:rself)?
  (?:ubrigens|andere frage|por cierto|otra cosa|au fait|autre question|a proposito|outra coisa)`)

const PERSONAL = anywhere(`(?:my|mine|myself|me too)
  i (?:just |really |also |only |still |do |mostly )?(?:like|love|enjoy|hate|work|live|prefer|play|grew|wish|used to)
  i (?:am|m) an?`)

/** Every English sentence of some length contains one of these. */
const FUNCTION_WORD = anywhere('(?:the|a|an|i|you|it|to|of|in|is|are|and|for|my|do|what|how|that|can|please)')

/** Reads the cues of a message. */
export function readCues(text: string): MessageCues {
  const shown = text.length > 2 * READ_CHARACTERS ? bothEnds(text) : text
  const list = listWords(shown)
  const words = list.join(' ')
  const subjects = countSubjects(list)
  const isAsking = QUESTION_MARK.test(shown) || ASKING.test(words)
  const isRequesting = REQUESTING.test(words) || COMMANDING.test(words)
  const isClosing = CLOSING.test(words)
  return {
    isAsking,
    isRequesting,
    isIntroducing: isRequesting && INTRODUCING.test(words),
    isAskingOther: isAsking && ASKING_OTHER.test(words) && !HANDING_BACK.test(words),
    isReferringBack: REFERRING_BACK.test(words),
    isTakingUp: TAKING_UP.test(words),
    isThanking: isClosing || THANKING.test(words),
    isClosing,
    isGreeting: GREETING.test(words),
    isShifting: SHIFTING.test(words),
    isPersonal: PERSONAL.test(words),
    isShort: subjects <= SHORT_WORDS,
    isEmpty: subjects === 0,
    isUnderstood: isRequesting || isClosing || FUNCTION_WORD.test(words),
  }
}

/** How many words name a subject. Stops counting above the limit for a short message. */
function countSubjects(words: readonly string[]): number {
  let count = 0
  for (const word of words) {
    if (isContentWord(word)) count += 1
    if (count > SHORT_WORDS) break
  }
  return count
}

const bothEnds = (text: string): string =>
  `${text.slice(0, READ_CHARACTERS)}\n${text.slice(-READ_CHARACTERS)}`
