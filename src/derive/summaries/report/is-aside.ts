// Sentences that keep a conversation going but add nothing to a summary.

const ASIDES: RegExp = anyOf([
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening|night|day)|bye|goodbye|see you|talk (?:to you )?(?:soon|later)|talk to you|catch you|speak soon|long time|keep up the|feel free|welcome|cheers)\b/i,
  /^how(?: are| have) you(?: doing| been)?(?: today| lately)?\W*$/i,
  /^how do you do\b|^how's (?:it going|everything|life)\b|^what's up\b/i,
  /^(?:i'm|i am) (?:fine|good|great|ok|okay|well|sorry|glad|happy)(?: to hear that| about that)?(?:,? thanks| , thank you)?\W*$/i,
  /^(?:nice|good|great|glad|pleased|pleasure) to (?:meet|see|hear)\b|^it(?:'s| is) (?:very |so |really )?(?:nice|good|great) to (?:meet|see|hear)\b/i,
  /^(?:thanks|thank you|many thanks)\b/i,
  /^you(?:'re| are) (?:welcome|right|kidding|joking|absolutely right|quite right)\b/i,
  /^(?:i|we) (?:see|know|understand|agree|hope so|think so|guess so|suppose so|guess|bet|suppose|don't know|don't think so)(?: what you mean| your point)?\W*$/i,
  /^(?:that|it|this)(?:'s| is| was| sounds?| would be)? (?:a |an |very |really |so |quite |too |all |just )*(?:good|great|right|true|fine|nice|wonderful|terrific|fantastic|perfect|sad|bad|ok|okay|all|it|sure|interesting|funny|too bad|good idea|great idea|good point|nice of you|kind of you)\W*$/i,
  /^sounds? /i,
  /^(?:can|may|could) i (?:help|assist) you\b|^what can i do for you\b|^how (?:can|may) i (?:help|assist)\b|^(?:can|may) i be of\b|^is there anything (?:else )?i can\b/i,
  /^(?:come in|come on|wait a (?:minute|moment|second)|just a (?:minute|moment|second)|one moment|hold on|never mind|don't worry|don't mention it|take care|have a (?:nice|good|great|seat)|here you (?:are|go)|there you (?:are|go)|here (?:it|they) (?:is|are)|guess what|let me (?:see|think|know|check)|excuse me|pardon|no problem|my pleasure|it's my pleasure|not at all|of course|you bet|after you|go ahead|believe me|trust me|tell me|(?:i )?beg your pardon)\b[^,]{0,24}$/i,
  /^(?:i'm|i am) (?:not )?(?:sure|sorry|afraid(?: so| not)?|kidding|serious)\W*$/i,
  /^(?:yes|no|yeah|sure|okay|ok|right|really|what|why|wow|great|good)\b[^,]{0,12}$/i,
  /^(?:of course )?(?:i|you|he|she|it|they|we) (?:do|don't|did|didn't|am|am not|is|isn't|are|aren't|was|wasn't|have|haven't|has|will|won't|can|can't|could|would|should)(?: not)?\W*$/i,
  /^(?:so|neither|nor) (?:\w+) i\b|^me,? (?:too|neither)\b/i,
  /^what a\b|^how (?:nice|kind|lovely|wonderful|terrible|awful|sweet|interesting)\b/i,
  /^(?:i (?:can't|don't) believe it|you don't say|are you (?:kidding|serious|sure|joking|stupid|crazy))\b/i,
  /^(?:i hope|i'm sure) you\b|^i (?:can )?(?:assure|tell|promise) you\W*$/i,
  /^(?:one|just one) moment\b|^not to worry\b|^how (?:beautiful|happy)\b|^who knows\b/i,
])
const THREE_WORDS = /[\p{L}\p{N}](?:[\p{L}\p{N}]*[^\p{L}\p{N}]+[\p{L}\p{N}]){2}/u

/** Greetings, thanks, short agreement, exclamations. */
export function isAside(sentence: string): boolean {
  return ASIDES.test(sentence) || !THREE_WORDS.test(sentence)
}

/** A single expression is several times as fast, and this runs for every sentence. */
function anyOf(expressions: readonly RegExp[]): RegExp {
  return new RegExp(expressions.map(({ source }) => source).join('|'), 'i')
}
