// Words by which people say that something changed or ended, in English, German, Spanish, French, Portuguese and Italian.
// All languages apply at once, because people mix them; words that mean something else in another of these languages
// are left out.

import { alternatives } from './multiline-regexp.ts'

const words = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu')

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
  cancelled|canceled|called off|fell through|falls through|(?:is|are|was|'s) out|is over|is dead|dropped|gone|sold|quit|ended|history|in the bin|withdrew|withdrawn|goodbye|renamed|leaving|no longer|any ?more|no more|out of the question|nicht mehr|ya no|non più|não mais|ne plus|
  abgesagt|fällt aus|ausgefallen|vorbei|gekündigt|verkauft|raus|weg|gestrichen|
  cancelad[oa]|terminad[oa]|vendid[oa]|fuera|
  annulé\w*|terminé\w*|vendu\w*|fini\w*|
  cancelad[oa]|acabou|vendi|vendid[oa]|chega|
  annullat[oa]|finit[oa]|vendut[oa]|saltat[oa]`)

/** A stricter choice for whole messages: in everyday talk, "now", "new" or "not" alone announce nothing. */
const ANNOUNCED: RegExp = words(alternatives`
  instead|moved (?:to|from)|moves to|moving \p{L}+ to|changed|switched|switching|pushed (?:back|to)|postponed|no longer|any ?more|
  raised to|raising|lowered|after all|back to|going back|takes over|took over|replaced|renamed|becomes|corrected|correction|
  overruled|scrap that|rather than|from now on|(?:it's|is|are) now|now (?:it|at|on|\d+)|final|
  new (?:date|plan|time|price|number|phone|address|deadline|one|job|car|place|version)|g[ia]ven? up|wrong|mistake|typo|
  never mind|no wait|not (?:(?:on|at|the|in) )?(?:\d+\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|
  june|july|august|september|october|november|december)|leaving|(?:is|'s) out|is dead|called off|fell through|cancell?ed|sold|in the bin|
  retired|goodbye|
  jetzt|nun|statt|stattdessen|verschoben|geändert|erst|nicht mehr|doch|neu|neue[rsnm]?|nachgezogen|übernimmt|planänderung|
  abgesagt|vorbei|gekündigt|
  ahora|en vez de|en lugar de|cambi\p{L}+|ya no|al final|movid\p{L}+|aplazad\p{L}+|sub\p{L}+|jubil\p{L}+|sigue|
  maintenant|désormais|au lieu de|changé\p{L}*|finalement|déplacé\p{L}*|repoussé\p{L}*|annulé\p{L}*|
  agora|em vez de|mud\p{L}+|não mais|no fim|adiad\p{L}+|subiu|troquei|trocamos|
  adesso|invece di|invece|cambiat\p{L}+|non più|alla fine|spostat\p{L}+|slitta|passa|resta|rimane|alza|arrivo a`)

/** Whether a message says that something is no longer as it was. */
export const announcesChange = (text: string): boolean => ANNOUNCED.test(text)
