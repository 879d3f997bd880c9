import { wordList } from '../facts/text/word-list.ts'

// Countries and the most frequently mentioned cities. Enough to recognise a place without a cue, and to read
// names in lower case. Everything else needs "in …" or "to …" before it.

const ONE_WORD = wordList(
  `afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahrain bangladesh barbados
   belarus belgium belize benin bhutan bolivia botswana brazil brunei bulgaria burundi cambodia cameroon canada chile
   china colombia croatia cuba cyprus czechia denmark ecuador egypt england estonia ethiopia fiji finland france gabon
   gambia germany ghana greece greenland guatemala guinea guyana haiti honduras hungary iceland india indonesia iran iraq
   ireland israel italy jamaica japan kazakhstan kenya kosovo kuwait laos latvia lebanon liberia libya lithuania
   luxembourg madagascar malawi malaysia maldives mali malta mauritius mexico moldova monaco mongolia montenegro morocco
   mozambique myanmar namibia nepal netherlands nicaragua nigeria norway oman pakistan panama paraguay peru philippines
   poland portugal qatar romania russia rwanda scotland senegal serbia singapore slovakia slovenia somalia spain sudan
   sweden switzerland syria taiwan tanzania thailand tunisia uganda ukraine uruguay uzbekistan venezuela vietnam wales
   yemen zambia zimbabwe europe africa asia california texas florida hawaii alaska oregon colorado arizona nevada ohio
   michigan massachusetts virginia illinois minnesota montana utah bavaria tuscany sicily scandinavia catalonia bali
   london paris berlin madrid barcelona lisbon porto rome milan naples florence venice turin munich hamburg cologne
   frankfurt stuttgart leipzig dresden vienna salzburg zurich geneva basel bern brussels antwerp amsterdam rotterdam
   utrecht copenhagen stockholm gothenburg oslo bergen helsinki reykjavik dublin edinburgh glasgow manchester liverpool
   birmingham leeds bristol cardiff belfast oxford cambridge prague warsaw krakow budapest bucharest sofia athens
   istanbul ankara moscow kyiv riga vilnius tallinn zagreb belgrade sarajevo ljubljana valencia seville malaga bilbao
   marseille lyon nice bordeaux toulouse chicago boston seattle portland denver dallas houston austin miami atlanta
   philadelphia phoenix detroit minneapolis pittsburgh baltimore nashville toronto montreal vancouver ottawa calgary
   tokyo osaka kyoto seoul busan beijing shanghai shenzhen guangzhou taipei bangkok hanoi jakarta manila mumbai delhi
   bangalore bengaluru chennai kolkata hyderabad karachi lahore dhaka kathmandu colombo dubai doha riyadh jeddah beirut
   amman cairo casablanca marrakesh tunis lagos accra nairobi kampala addis johannesburg durban sydney melbourne brisbane
   perth adelaide auckland wellington honolulu santiago lima bogota medellin quito caracas havana montevideo nyc`,
)
const SEVERAL_WORDS: ReadonlySet<string> = new Set([
  'united states',
  'united kingdom',
  'new zealand',
  'south africa',
  'south korea',
  'north korea',
  'saudi arabia',
  'sri lanka',
  'costa rica',
  'puerto rico',
  'dominican republic',
  'czech republic',
  'hong kong',
  'new york',
  'new york city',
  'los angeles',
  'san francisco',
  'san diego',
  'san jose',
  'las vegas',
  'washington dc',
  'salt lake city',
  'new orleans',
  'kansas city',
  'mexico city',
  'buenos aires',
  'rio de janeiro',
  'são paulo',
  'sao paulo',
  'cape town',
  'tel aviv',
  'kuala lumpur',
  'ho chi minh city',
  'new delhi',
  'abu dhabi',
  'st petersburg',
  'the hague',
  'uk',
  'usa',
  'the uk',
  'the us',
  'the usa',
  'new jersey',
  'north carolina',
  'south carolina',
  'new mexico',
  'new england',
])

/** Whether this is a country, a region or a large, well-known city. */
export function isPlace(name: string): boolean {
  const plain = name.toLowerCase()
  return plain.length < 25 && (ONE_WORD.has(plain) || SEVERAL_WORDS.has(plain))
}
