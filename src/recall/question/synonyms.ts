// Groups of everyday English synonyms, because questions seldom use the words of their answers. Each word matches the
// others of its group at half the weight.

const GROUPS: readonly (readonly string[])[] = `
  buy purchase order|sell sale|begin start launch|finish complete end|build construct create make|repair fix mend
  break damage ruin|hurt injure injury wound sprain|sick ill unwell illness disease|heal recover recovery|tired exhausted fatigue
  scared afraid fear frightened scary|happy glad joyful thrilled|sad unhappy upset|angry mad furious
  worried anxious nervous concern|excited thrilled eager|proud pride|calm relax peaceful soothing|stress pressure tension
  love adore|like enjoy|hate dislike|favorite favourite|prefer preference rather|want wish hope|plan intend intention
  goal aim objective target|dream aspiration ambition|try attempt|decide decision choose choice
  suggest suggestion recommend recommendation advise advice|help assist support aid|encourage support motivate inspire
  motivate motivation inspire inspiration|teach instruct coach train|learn study|talk speak chat discuss conversation
  tell inform mention|ask request|answer reply respond|argue argument fight disagree|agree agreement deal|meet encounter
  visit trip stay|travel journey trip|vacation holiday getaway|move relocate|leave depart quit|arrive arrival reach
  live reside home|house home apartment|job work occupation career profession|boss manager supervisor
  colleague coworker teammate|company business firm employer|hire recruit employ|resign quit|salary pay income wage
  cost price fee expense|money cash fund|rich wealthy|donate donation charity|volunteer charity|win victory champion
  lose loss lost defeat|prize award medal trophy|contest competition tournament|race marathon|match game|team squad club
  exercise workout training|gym fitness|walk stroll hike|hike trail trek|bike bicycle cycling|car vehicle automobile
  drive ride|doctor physician medical|hospital clinic|medicine medication pills|surgery operation|pain ache sore
  diet nutrition eating|meal dinner lunch breakfast|cook bake recipe|dish recipe meal|restaurant cafe diner|drink beverage
  tasty delicious yummy|hungry starving|kid child son daughter|baby infant newborn|mother mom mum|father dad|parents mom dad
  wife spouse husband partner|marry wedding marriage|engaged fiance fiancee proposal|divorce breakup split separate
  friend buddy pal|neighbor neighbour|dog puppy pup|cat kitten kitty|adopt adoption rescue|animal wildlife|plant flower
  garden yard backyard|movie film|show series tv|watch see view|book novel|author writer|story tale|song track tune
  music band concert|singer vocalist musician|concert gig show|paint painting artwork|picture photo photograph image pic
  draw sketch drawing|art artwork|craft handmade|hobby pastime interest|game gaming|computer pc laptop|phone mobile cell
  app application software|program code programming|internet online web|website site page|bug error issue problem
  problem issue trouble difficulty challenge|challenge obstacle setback struggle|solve fix resolve|improve enhance better
  increase grow rise|decrease reduce drop lower|fast quick speed|slow delay|big large huge|small little tiny
  old ancient elderly|young youth|new recent latest|pretty beautiful gorgeous lovely|smart clever intelligent
  funny hilarious humor|important significant crucial key|special unique|strange weird odd unusual|hard difficult tough
  easy simple|safe secure security|danger dangerous risk|rain storm|ocean sea beach|mountain peak|forest woods|lake river
  city town|country nation|place location spot|school college university|class course lesson|student pupil
  teacher instructor professor|exam test|degree diploma|grade score mark|meeting appointment call|event occasion gathering
  party celebration|birthday anniversary|gift present|surprise unexpected|accident crash incident|police officer
  crime theft robbery steal|die death dead|funeral memorial|born birth|pregnant pregnancy expecting|religion faith church
  pray prayer|meditate meditation mindfulness|clothes clothing outfit|shoes sneakers boots|cup mug|tool equipment gear
  store shop market|join member membership|leader captain head|group club community team|organize arrange plan host
  attend participate join|workshop seminar conference|speech talk presentation|research study investigate
  collect collection gather|share post|memory remember|change transform switch|therapy therapist counseling counselor
  relationship partner dating|bond connection|trust rely|respect admire|grateful appreciate gratitude|family relatives
  alone lonely|deadline due|version release|budget spending|vote election|law legal rights|allergic allergy|camp camping tent
  outdoor outdoors nature
`
  .trim()
  .split(/\s*[|\n]\s*/)
  .map((group) => group.split(' '))

const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(GROUPS.flat())].map((word) => [
    word,
    GROUPS.filter((group) => group.includes(word))
      .flat()
      .filter((other) => other !== word),
  ]),
)

/** Synonyms of any of these word forms. */
export function synonymsOf(forms: readonly string[]): readonly string[] {
  return [...new Set(forms.flatMap((form) => SYNONYMS.get(form) ?? []))]
}
