// Words by which people say that something changed or ended, in English, German, Spanish, French, Portuguese and Italian.
// All languages apply at once, because people mix them; words that mean something else in another of these languages
// are left out. One table, by what the words say and by how much of them is needed: strong ones announce a change
// wherever they are in a message; weak ones ("now", "new", "gone") only within a clause that is already known to
// speak of the same thing.

import { alternatives } from './multiline-regexp.ts'

const WORDS = {
  change: {
    strong: alternatives`
      instead|moved (?:to|from)|moves to|moving \p{L}+ to|changed|switched|switching|pushed (?:back|to)|postponed|no longer|any ?more|
      raised to|raising|lowered|after all|back to|going back|takes over|took over|replaced|renamed|becomes|corrected|correction|
      overruled|scrap that|rather than|from now on|(?:it's|is|are) now|now (?:it|at|on|\d+)|final|
      new (?:date|plan|time|price|number|phone|address|deadline|one|job|car|place|version)|wrong|mistake|typo|
      never mind|no wait|not (?:(?:on|at|the|in) )?(?:\d+\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|
      april|june|july|august|september|october|november|december)|leaving|
      jetzt|nun|statt|stattdessen|verschoben|geändert|erst|nicht mehr|doch|neu|neue[rsnm]?|nachgezogen|übernimmt|planänderung|
      ahora|en vez de|en lugar de|cambi\p{L}+|ya no|al final|movid\p{L}+|aplazad\p{L}+|sub\p{L}+|sigue|
      maintenant|désormais|au lieu de|changé\p{L}*|finalement|déplacé\p{L}*|repoussé\p{L}*|
      agora|em vez de|mud\p{L}+|não mais|no fim|adiad\p{L}+|subiu|troquei|trocamos|
      adesso|invece di|invece|cambiat\p{L}+|non più|alla fine|spostat\p{L}+|slitta|passa|resta|rimane|alza|arrivo a`,
    weak: alternatives`
      now|moved|moves|moving|pushed|new|raised|up to|actually|finally|→|->|
      ab|nuev[oa]s?|ne plus|nouve\w+|nov[oa]s?|ora|nuov[oaie]`,
  },
  end: {
    strong: alternatives`
      (?:is|'s) out|is dead|called off|fell through|cancell?ed|sold|in the bin|goodbye|g[ia]ven? up|not [^,.;]+ after all|retired|jubil\p{L}+|
      abgesagt|vorbei|gekündigt|doch nicht|annulé\p{L}*`,
    weak: alternatives`
      falls through|(?:are|was) out|is over|dropped|gone|quit|ended|history|withdrew|withdrawn|renamed|leaving|no longer|any ?more|
      no more|out of the question|taken (?:already|on|by)|
      nicht mehr|ya no|non più|não mais|ne plus|fällt aus|ausgefallen|verkauft|raus|weg|gestrichen|
      cancelad[oa]|terminad[oa]|vendid[oa]|fuera|terminé\w*|vendu\w*|fini\w*|acabou|vendi|chega|
      annullat[oa]|finit[oa]|vendut[oa]|saltat[oa]`,
  },
} as const

const words = (...sources: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'iu')

/** Something changed: what was said of it before holds no longer. For clauses that speak of the same thing. */
export const CHANGED: RegExp = words(WORDS.change.strong, WORDS.change.weak)

/** It is over: nothing takes its place. For clauses, too. */
export const ENDED: RegExp = words(WORDS.end.strong, WORDS.end.weak)

/** How a correction of what was just said begins. */
export const CORRECTING: RegExp = new RegExp(
  `^(?:(?:${alternatives`
  no|nope|sorry|wait|oops|actually|correction|i meant?|meant|make (?:it|that)|nein|quatsch|ich meinte?|moment|
  perdón|espera|quería decir|digo|non|pardon|je voulais dire|não|desculpa|aliás|quis dizer|no aspetta|scusa|anzi|volevo dire`})(?![\\p{L}])[,.:;!—–-]*\\s+)+`,
  'iu',
)

const ANNOUNCED: RegExp = words(WORDS.change.strong, WORDS.end.strong)

/** Whether a message says that something is no longer as it was. */
export const announcesChange = (text: string): boolean => ANNOUNCED.test(text)
