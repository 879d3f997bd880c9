import { alternatives, multilineRegExp } from '../../../domain/multiline-regexp.ts'
import { aThing, things } from '../text/read-value.ts'
import type { Pattern } from './pattern.ts'

// Diet, allergies and health.

const CONDITIONS = alternatives`
    asthma|(?:type [12] )?diabetes|coeliac disease|celiac disease|celiac|epilepsy|arthritis|adhd|autism|
    anxiety|depression|migraines|high blood pressure|hypertension|insomnia|eczema|psoriasis|ibs|
    endometriosis|anemia|anaemia|hypothyroidism|a heart condition|a bad (?:knee|back|shoulder)|a pacemaker|
    scoliosis|sleep apnea|tinnitus|osteoporosis|gastritis|dyslexia|a stutter|cancer|lupus|pcos|ptsd|ocd|gout`
const DIETS = 'vegetarian|vegan|pescatarian|pescetarian|omnivore|flexitarian'
const lower = (_: string, found: RegExpExecArray): readonly string[] => [(found[1] ?? '').toLowerCase()]
/** "I don't drink coffee after noon": they do at other times. */
const SOMETIMES =
  /\b(?:after|before|when|with|on|at|late|unless|until|enough|much|often|if|while|during|right|yet)\b/i
const foods = (rest: string): readonly string[] =>
  (SOMETIMES.test(rest) ? [] : things(rest)).filter(
    (food) =>
      food.split(' ').length <= 3 &&
      !/^(?:much|out|enough|well|at|a lot|breakfast|lunch|dinner|before|after|late|in)\b/i.test(food),
  )

export const HEALTH_PATTERNS: readonly Pattern[] = [
  {
    cue: multilineRegExp('i')`
      ^(?:am|is|are|became|went|have been|has been|have become|turned|have gone) (?:an? )?(?:(?:strict|
      lifelong|committed|mostly|fully) )?(${DIETS})\b`,
    attribute: 'diet',
    value: lower,
    denial: 'end',
    confidence: 0.9,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:am|is|are) (?:on|following|doing) (?:a |the )?(keto|low-carb|gluten-free|paleo|mediterranean|
      low-fodmap|dairy-free|halal|kosher|plant-based)\b`,
    attribute: 'diet',
    value: lower,
    denial: 'end',
  },
  {
    cue: /^(?:(?:only )?eat|keep|eats) (halal|kosher|plant-based|vegetarian|vegan|gluten-free)\b/i,
    attribute: 'diet',
    value: lower,
    denial: 'end',
  },
  {
    cue: /^(?:am|is|are) (?:(?:severely|very|deathly|badly|highly|mildly|slightly) )?allergic to /i,
    attribute: 'allergy',
    value: things,
    denial: 'end',
    confidence: 0.95,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:have|has|have got) (?:an? )?(?:(?:severe|bad|mild|serious) )?([a-z]+(?: [a-z]+)?) allerg(?:y|
      ies)\b`,
    attribute: 'allergy',
    value: lower,
    denial: 'end',
    confidence: 0.9,
  },
  {
    cue: /^(?:am|is|are) (lactose|gluten|fructose|histamine)[- ]intolerant\b/i,
    attribute: 'allergy',
    value: (_, found) => [`${found[1]?.toLowerCase()} (intolerant)`],
    denial: 'end',
    confidence: 0.9,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:am|is) (coeliac|celiac|diabetic|asthmatic|epileptic|autistic|dyslexic|colou?r-?blind|deaf|
      hard of hearing|pregnant)\b`,
    attribute: 'health',
    value: lower,
    denial: 'end',
  },
  {
    cue: multilineRegExp('i')`
      ^(?:have|has|suffer from|suffers from|live with|have had|struggle with|was diagnosed with|
      were diagnosed with|have been diagnosed with|got diagnosed with|am recovering from) (?:(?:severe|mild|
      bad|chronic) )?(${CONDITIONS})\b`,
    attribute: 'health',
    value: lower,
    denial: 'end',
    confidence: 0.8,
  },
  {
    cue: /^(?:was|were|got|have been|has been) (?:just |recently )?diagnosed with (?:an? )?/i,
    attribute: 'health',
    value: aThing,
    confidence: 0.8,
  },
  {
    cue: /^(?:do )?(?:eat|drink) /i,
    attribute: 'does not consume',
    value: foods,
    isNegative: true,
    confidence: 0.85,
  },
  {
    cue: /^(?:do )?(?:(?:drink|touch) alcohol|drink)$/i,
    attribute: 'does not consume',
    value: 'alcohol',
    isNegative: true,
  },
]
