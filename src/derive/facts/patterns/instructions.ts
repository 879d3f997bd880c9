// Standing instructions to an assistant: whole sentences, stored verbatim. An instruction about the current task
// ("please don't change this function") is not a standing one.

import { multilineRegExp } from '../../../domain/multiline-regexp.ts'

const ORDER = multilineRegExp('i')`
    ^(?:(?:also|and|so|ok|okay|oh|hey|but|btw|please|remember|note|
    one more thing)[,:]? )*(?:please )?(?:(?:always|never)(?: ever)? (?=[a-z]+\b)|from now on[,:]? |
    going forward[,:]? |in (?:the )?future[,:]? |for (?:all )?future (?:answers|replies|questions|
    messages)[,:]? |in all (?:your )?(?:answers|replies|responses)[,:]? |(?:don't|do not) ever |
    every time i ask|whenever i (?:ask|say|mention|send|share)|when i (?:ask|say) [^,]{3,60}, (?:always|
    never|please) )`
const WISH = multilineRegExp('i')`
    ^(?:please )?(?:i (?:want|need) you to (?:always|never)|make sure (?:you |to )(?:always|never)|
    remember to always) `
const MANNER = multilineRegExp('i')`
    ^(?:please )?(?:(?:keep|make) (?:your|all|the) (?:answers|replies|responses|explanations|messages)\b|
    (?:answer|reply|respond|write|talk|speak)(?: to me)? (?:always )?(?:only )?in (?:english|french|german|
    spanish|portuguese|italian|dutch|polish|turkish|arabic|hindi|chinese|japanese|korean|bullet points|
    short sentences|plain (?:english|text|language))\b(?! (?:about|a|an|the|this|that|what|how))|(?:don't|
    do not|stop) (?:use|using|add|adding|include|including|give me|giving me|send|sending|say|saying|
    apologi[sz]e|apologi[sz]ing|call me|calling me|mention|mentioning) )`
const NOT_STANDING = multilineRegExp('i')`
    \b(?:this|that|these|those|here|above|below|following|yet|today|tonight|just now|the (?:function|file|
    code|draft|first|second|last|previous|next)|it)\b`
const NOT_AN_ORDER = multilineRegExp('i')`
    ^(?:please )?(?:always|never) (?:mind|been|had|thought|seen|a|an|the|my|your|in|knew|heard|felt|wanted|
    loved|nice|good|great|happy|fun|know|have|forget how|really|too|so|on|here|there|gets|got|did|done|
    feels|makes|stop|give up|lose|say never|keep|stay|believe|remember|forget|better|easy|hurts|again|up|
    down|for|ready|looking|trying|be|doubt|know)\b`
const SAID_OF_ONESELF = /^(?:always|never) \w+(?:ed|ing|s)\b/i

/** The standing instruction that a sentence gives, if any. */
export function readInstruction(sentence: string): string | undefined {
  const text = sentence.replace(/[\s.!]+$/, '').replace(/^(?:oh|hey|ok|okay|hi)[,!]? /i, '')
  if (text.endsWith('?') || text.length > 300) return undefined
  const isOrder =
    (ORDER.test(text) || WISH.test(text)) && !NOT_AN_ORDER.test(text) && !SAID_OF_ONESELF.test(text)
  const isManner = MANNER.test(text) && !NOT_STANDING.test(text)
  if (!isOrder && !isManner) return undefined
  return text.replace(/^(?:also|and|so|please|but)[,:]? (?=\S)/i, '')
}

const CALL_ME = multilineRegExp('u')`
    (?:^|[,.!] |\b(?:[Pp]lease|[Jj]ust|can|[Ee]veryone|[Ff]riends|[Pp]eople|[Ff]olks|and|
    but) )[Cc]alls? me (?:by )?(\p{Lu}[\p{L}'-]+)(?=$|[.,!]| (?:\p{Lu}|from now|please|instead|not|and|but|
    if|for))`

/** "Call me Bo." */
export function readCalled(sentence: string): string | undefined {
  return sentence.includes(' me ') ? CALL_ME.exec(sentence)?.[1] : undefined
}
