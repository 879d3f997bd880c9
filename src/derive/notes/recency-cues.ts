// Words that show that the answer to a question changes from day to day, in the languages most used in chats.
// They are compared with folded words (domain/words.ts): "what's" is "what s", accents are removed, and
// characters of scripts without spaces are separate words.

/** Folding also removes the breve from the Cyrillic letter й. */
const phrases = (lines: string): string =>
  lines
    .trim()
    .replaceAll(/\s*\n\s*/g, '|')
    .replaceAll('й', 'и')
const anywhere = (lines: string): RegExp => new RegExp(`(?:^| )(?:${phrases(lines)})(?= |$)`, 'u')
const atStart = (lines: string): RegExp => new RegExp(`^(?:${phrases(lines)})(?= |$)`, 'u')

/** Daily news subjects: a question about one is a question about now. */
export const DAILY_SUBJECT: RegExp = anywhere(`weather
  forecast
  temperature (?:in|outside)
  (?:the |any |some |breaking |world |sports |tech )*news
  headlines
  (?:stock|share|gas|petrol|fuel|oil|gold|bitcoin|ethereum|crypto) prices?
  price of (?:gold|oil|gas|petrol|bitcoin|btc|ethereum|eth|silver)
  exchange rates?
  (?:live )?scores? (?:of|in|for) the
  live scores?
  (?:election|match|game|race) results?
  (?:league )?standings
  what s (?:new|happening|going on|trending) (?:in|with|at|on)
  (?:das )?wetter(?:bericht|vorhersage)?
  (?:die )?nachrichten
  neuigkeiten (?:zu|uber|von|aus)
  schlagzeilen
  (?:aktien|wechsel|bitcoin|dollar|euro)kurs(?:e|es)?
  (?:benzin|sprit|strom)preise?
  noticias
  (?:el )?clima en
  pronostico
  que tiempo (?:hace|hara|va)
  tipo de cambio
  cotizacion
  precio del? (?:bitcoin|oro|dolar|euro|petroleo)
  meteo
  actualites
  (?:quel temps|temps) (?:fait|fera)
  taux de change
  cours (?:de|du|des) (?:l )?(?:action|bourse|bitcoin|or|euro|dollar)s?
  notizie
  che tempo (?:fa|fara)
  tasso di cambio
  quotazione
  previsao do tempo
  como esta o tempo
  cotacao
  taxa de cambio
  weerbericht
  (?:het )?weer in
  nieuws
  (?:beurs|wissel|bitcoin)koers
  погод[аыуе]
  новост[иьей]+
  курс (?:доллара|евро|валют|рубля|биткоина)
  прогноз погоды
  天 [气氣気]
  新 [闻聞]
  股 [价價価]
  [汇匯] 率
  為 替
  ニ ュ ー ス
  날씨[^ ]*
  뉴스[^ ]*
  주가[^ ]*
  환율[^ ]*`)

/** Adjectives for the newest thing. */
export const NEWEST: RegExp = anywhere(`latest
  newest
  most recent
  current
  (?:neu(?:e|es)?sten?[rs]?|aktuell(?:e|en|er|es)?)
  (?:actual|actuales)
  (?:ultim[oa]s?|ultim[ie]) (?!vez|vezes|veces|volta|dia|ano|semana|hora)[^ ]+
  (?:mas|mais|piu|plus) recent(?:es?|i|e|s)?
  (?:actuel(?:le|s|les)?)
  (?:derni(?:er|ere|ers|eres)) (?!fois|jour|semaine|mois|annee|heure)[^ ]+
  (?:attual[ei])
  (?:atual|atuais)
  (?:huidige|actuele|nieuwste|laatste (?!keer|dag|week)[^ ]+)
  (?:текущ|новейш|актуальн)[^ ]*
  последн[^ ]+ (?!раз)[^ ]+
  最 新
  최신[^ ]*`)

/** Times around now. */
export const AROUND_NOW: RegExp = anywhere(`today(?: s)?
  tonight(?: s)?
  currently
  right now
  at the moment
  (?:open|worth|cost|costs|price|priced|trading|happening|available|live|in charge|in stock) (?:right )?now
  (?:is|are|for|at) [^?]+ now$
  this (?:week|weekend|month|morning|afternoon|evening|season)(?: s)?
  last night(?: s)?
  yesterday s
  recently
  just (?:announced|released|launched|happened|published)
  (?:out|released|available|announced|launched|confirmed) yet
  as of (?:now|today)
  when (?:is|s|does|will) the next
  (?:has|have|is|are) .+ (?:announced|released|launched|confirmed|out)$
  still (?:alive|open|available|the|president|ceo|in office|on sale)
  (?:heute|derzeit|momentan|zurzeit|gerade|heute abend|gestern abend|schon erschienen)
  diese[sr]? (?:woche|wochenende|monat)
  jetzt$
  (?:hoy|actualmente|en este momento|ahora mismo|ahora$|esta (?:semana|noche|tarde|manana)|este (?:mes|fin de semana))
  (?:aujourd hui|actuellement|en ce moment|maintenant$|cette (?:semaine|nuit)|ce (?:soir|matin|mois|week end))
  (?:oggi|attualmente|in questo momento|adesso$|stasera|questa (?:settimana|sera|notte))
  (?:hoje|atualmente|neste momento|agora$|esta noite|este fim de semana)
  (?:vandaag|momenteel|op dit moment|vanavond|deze (?:week|maand)|nu$)
  (?:сегодня|сейчас|на этой неделе|на данный момент|недавно)
  (?:今 天|今 晚|今 日|今 夜|今 週|現 在|现 在|目 前|当 前|當 前|本 周|本 週|这 周|這 週)
  (?:오늘|지금|현재|최근|이번 주)[^ ]*`)

/** How a question or a request begins. */
export const ASKING: RegExp = atStart(`(?:is|are|does|do|did|will|would|can|could|should|has|have|was|were)
  (?:what|whats|where|when|which|who|whose|why|how|any)
  (?:search|look up|google|check|find|show|tell|give|list|get)
  (?:was|wie|wo|wann|wer|warum|welche[rsnm]?|gibt|ist|sind|hat|haben|wird|such|suche|zeig|zeige)
  (?:que|cual|cuales|cuando|donde|quien|cuanto|hay|busca|muestra|como)
  (?:qu|quel|quels|quelle|quelles|ou|quand|comment|pourquoi|combien|est|cherche|montre|qui)
  (?:qual|quais|quando|onde|quem|quanto|quali|quale|dove|chi|che|cosa|cerca|cerque|procure)
  (?:wat|waar|wanneer|welke|hoe|zoek|is er)
  (?:что|какой|какая|какое|какие|каков|кто|где|когда|сколько|как|покажи|найди)`)

/** The same for scripts without spaces, anywhere in the sentence. */
export const ASKING_ANYWHERE: RegExp = anywhere(
  '(?:怎 [么麼]|什 [么麼]|多 少|[吗嗎呢]|[谁誰]|哪|何|教 え て|い つ|い く ら|ど う|で す か|[^ ]*(?:까|나요|어때|알려[^ ]*)|뭐[^ ]*)',
)

/** Polite phrases around a question. What follows them is the question. */
export const COURTESY: RegExp =
  atStart(`(?:(?:hi|hey|hello|ok|okay|so|and|also|well|but|now|please|thanks|great) )*(?:can|could|would|will) you (?:please )?(?:tell me|show me|find(?: out| me)?|search(?: for| the web for)?|look up|check|give me|get me)
  (?:(?:hi|hey|hello|ok|okay|so|and|also|well|but|now|please) )*(?:do you know|tell me|show me|give me|get me|let me know|what do you know about)
  i (?:want|need|would like|d like) to (?:know|see|hear)
  i (?:wonder|am wondering|m wondering|was wondering)
  (?:can|could|may) i (?:get|see|have|know|hear)
  (?:hi|hey|hello|ok|okay|so|and|also|well|but|now|please|thanks)
  (?:kannst du mir|konnen sie mir|sag mir|zeig mir|bitte|hallo|weisst du)
  (?:dime|puedes decirme|muestrame|por favor|hola|sabes)
  (?:dis moi|peux tu me dire|pouvez vous me dire|montre moi|bonjour|sais tu)
  (?:dimmi|puoi dirmi|per favore|ciao|sai)
  (?:me diga|diga me|voce sabe|pode me dizer|por favor|ola)
  (?:kun je me|vertel me|weet je|hallo)
  (?:скажи(?:те)?|подскажи(?:те)?|пожалуйста|привет)
  请 (?:告 诉 我|问)?`)

/** The speaker's location. Such a question is still about the world. */
export const HERE: RegExp =
  / (?:(?:near|around|for) me|(?:in|for) (?:my|our) (?:city|area|town|region|country|neighbou?rhood|location)|(?:for|on|during) (?:my|our) (?:trip|flight|way|commute|holiday|vacation|walk|run)|where i (?:am|live)|bei mir|in meiner (?:stadt|nahe|gegend)|cerca de mi|en mi ciudad|pres de chez moi)(?= |$)/gu

/** The speakers themselves: memory knows the answer, the web does not. */
export const OWN: RegExp = anywhere(`(?:i|we|me|us|my|our|mine|ours|your|yours|myself|ourselves)
  (?:did|do|have|had|are|were|was|can|could|would|should|will) you
  you (?:said|told|mentioned|recommended|suggested|wrote)
  (?:ich|wir|mich|mir|uns|mein(?:e|er|en|em|es)?|unser(?:e|er|en|em|es)?|dein(?:e|er|en|em)?)
  (?:hast|bist|machst|warst|hattest|kannst) du
  (?:yo|mi|mis|mio|nuestr[oa]s?|comi|dije|hice|compre|debo|puedo|tengo|deberia|dijiste|haces)
  (?:je|j|mon|ma|mes|nous|notre|nos|moi)
  (?:io|mio|mia|miei|mie|noi|nostr[oaie]|ho|devo|posso|hai|mi)
  (?:eu|meu|meus|minha|minhas|noss[oa]s?|devo|tenho|disse|fiz)
  (?:ik|mijn|wij|onze|ons)
  (?:я|мы|мне|нам|мой|моя|мое|мои|мою|моего|моей|наш[^ ]*)
  我
  (?:私|僕|俺)
  (?:나는|내가|내|제가|저는|우리[^ ]*)`)

/** Things that are current, latest or newest in any program, and words that only look like a cue. */
export const LASTING: RegExp =
  anywhere(`(?:current|latest|most recent|newest|today s|aktuelle[srn]?) (?:date|time|timestamp|directory|folder|path|user|branch|commit|row|line|page|url|element|value|index|thread|process|session|tag|state|selection|position|cursor|window|node|item|record|entry|file|implementation|code|design|approach|setup|project|task|function|method|problem|bug|version of (?:the|this) file|verzeichnis|datum|zeit|benutzer)
  (?:electric|electrical|alternating|direct|ocean|air) currents?
  current (?:flows?|flowing|account|ratio|liabilities|assets|through)
  weather (?:apps?|apis?|stations?|widgets?|vanes?)
  (?:fake news|news (?:apps?|apis?|articles?|feeds?|letters?))
  what (?:does|do) .+ mean
  (?:meaning|definition) of`)

/** Requests to create something, whatever its subject. */
export const MAKING: RegExp =
  atStart(`(?:write|draft|compose|translate|summari[sz]e|rewrite|rephrase|create|make|generate|design|imagine|explain|implement|refactor|fix|add)
  (?:schreib|schreibe|verfasse|ubersetze|erstelle|erklare|erfinde)
  (?:escribe|traduce|redacta|crea|explica|ecris|redige|traduis|cree|explique|scrivi|traduci|crea|spiega|escreva|traduza|crie|explique)
  (?:schrijf|vertaal|maak|напиши|переведи|создай|объясни)`)

/** Asks how the world works: a daily subject alone does not mean today. */
export const EXPLAINING: RegExp =
  atStart(`(?:how (?:does|do|is|are|can|to)|why (?:does|do|is|are)|what (?:causes|makes|affects)|what (?:is|s) (?:the )?(?:difference|best way|point|purpose|history)|what (?:is|are) an?)
  (?:wie (?:funktioniert|entsteht|macht|kann)|warum|was ist (?:ein|eine|der unterschied))
  (?:como (?:funciona|se)|por que|pourquoi|comment (?:fonctionne|se)|perche|come (?:funziona|si)|hoe (?:werkt|ontstaat)|waarom|почему|как работает)`)

/** Verbs of statements: a sentence with one of them and no question mark is not a question. */
export const STATING: RegExp =
  anywhere(`(?:is|are|was|were|be|been|has|had|have|went|goes|looks|looked|seems|seemed|made|makes|got|came|works|worked|says|said|ate|felt|feels|loved|broke|will|ist|sind|war|waren|hat|hatte|ging|wird)
  (?:es|son|era|fue|esta|estaba|est|sont|etait|a ete|e|era|sono|foi|stato|is|zijn|waren|was|был[аои]?|了)`)
