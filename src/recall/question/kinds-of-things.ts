// Categories and their members, because a question names the general and an answer the particular: "Which pets does he
// have?", "a kitten". Everyday English words. Members match at half the weight, so that the word itself ranks first.

const KINDS: readonly (readonly [kinds: string, members: string])[] = [
  [
    'pet animal',
    `dog puppy puppies cat kitten bird fish hamster rabbit bunny turtle snake horse parrot goldfish lizard`,
  ],
  ['child kid', `son daughter kid child children baby babies boy girl toddler newborn teenager twins`],
  [
    'family relative',
    `mother mom mum father dad parent brother sister sibling grandma grandmother grandpa grandfather
    aunt uncle cousin nephew niece wife husband son daughter kids family`,
  ],
  [
    'partner spouse relationship',
    `wife husband boyfriend girlfriend partner fiance fiancee married marriage wedding
    single dating divorce breakup`,
  ],
  [
    'sport',
    `basketball football soccer tennis baseball volleyball swimming running hiking cycling biking skiing
    snowboarding surfing skating hockey golf boxing yoga climbing kayaking karate kickboxing`,
  ],
  [
    'hobby activity pastime',
    `painting drawing reading hiking camping swimming running cooking baking gardening dancing
    photography pottery knitting fishing yoga cycling biking surfing skiing kayaking gaming writing singing guitar
    piano violin crafts sewing woodworking chess`,
  ],
  [
    'exercise workout fitness',
    `gym running jogging yoga swimming cycling weights training pilates kickboxing boxing
    cardio hike walk`,
  ],
  [
    'food dish meal cuisine snack',
    `pizza pasta salad soup sandwich burger chicken rice curry sushi cake cookies chocolate
    bread cheese fruit vegetables steak fish eggs pancakes tacos dessert pie popcorn`,
  ],
  ['drink beverage', `coffee tea water juice beer wine soda milk smoothie cocktail`],
  ['dessert treat', `cake cookies pie chocolate brownies pudding cupcakes pastry muffins tart`],
  ['instrument', `guitar piano violin drums flute clarinet saxophone trumpet cello bass ukulele keyboard`],
  [
    'music musician',
    `song band concert album singer guitar piano violin melody tune playlist jazz rock classical`,
  ],
  [
    'art artwork artist',
    `painting drawing sculpture pottery sketch canvas watercolor mural portrait exhibit gallery`,
  ],
  ['book author', `novel read reading story stories series trilogy library bookshelf writer written chapter`],
  ['movie film show', `watch watched watching movie film series tv episode cinema theater actor director`],
  ['game', `played play playing console tournament chess board cards video multiplayer`],
  ['vehicle car transport', `car truck bike bicycle motorcycle bus train van drive driving drove`],
  [
    'job career profession occupation',
    `job work working boss office company career position promotion interview hired
    business startup teacher engineer nurse doctor lawyer developer designer manager internship employer colleague`,
  ],
  [
    'education degree study',
    `school college university class course degree graduate graduated student exam professor
    certificate diploma semester major`,
  ],
  [
    'health illness disease injury',
    `doctor hospital sick pain surgery injury injured sprained broke broken fever diet
    medicine diagnosis ankle heart blood allergy allergic weight`,
  ],
  ['allergy', `allergic allergy reaction peanuts nuts pollen fur dust`],
  [
    'trip travel vacation',
    `trip travel traveled visit visited flight flew vacation holiday tour abroad journey drove
    beach mountains`,
  ],
  [
    'place location city country state',
    `city town beach park mountains mountain lake museum cafe restaurant country coast
    island street forest`,
  ],
  [
    'event',
    `party concert festival parade conference workshop meeting race tournament wedding ceremony fair gala meetup
    show exhibition fundraiser`,
  ],
  [
    'holiday celebration',
    `christmas thanksgiving halloween birthday easter anniversary party celebrate celebrated`,
  ],
  ['clothes clothing outfit', `shirt dress shoes jacket pants hat sweater jeans sneakers boots coat`],
  ['plant garden nature', `flower flowers tree trees roses garden seeds vegetables leaves forest park`],
  ['home house', `apartment house home room kitchen moved rent mortgage neighborhood furniture`],
  [
    'money finance financial',
    `pay paid cost price budget dollars savings loan salary debt afford expenses bills`,
  ],
  [
    'charity volunteer community',
    `volunteer volunteering shelter donate donation donated fundraiser charity homeless
    nonprofit`,
  ],
  [
    'emotion feeling mood',
    `happy sad excited nervous anxious scared angry proud grateful stressed worried joy calm
    relaxed upset`,
  ],
  ['stress relax', `relaxing calm calming peaceful meditation yoga unwind soothing therapy`],
  ['friend', `buddy pal mate roommate teammates coworker`],
  ['age', `birthday born turned years`],
  [
    'device gadget technology',
    `phone laptop computer tablet camera headphones monitor keyboard console watch`,
  ],
  ['goal plan dream', `goal plan planning hope hoping dream aim`],
  ['weather', `rain rainy sunny snow storm wind cold hot hurricane flood`],
  ['gift present', `gift gave present received surprise`],
  ['religion faith spiritual', `church god prayer pray faith bible religious temple mosque`],
  [
    'politics political',
    `vote election government policy rights protest campaign mayor conservative liberal`,
  ],
]

const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map(
  KINDS.flatMap(([kinds, members]) => kinds.split(' ').map((kind) => [kind, members.split(/\s+/)] as const)),
)

/** The everyday members of the kind that one of these words names. */
export function membersOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => MEMBERS.get(word) ?? [])
}
