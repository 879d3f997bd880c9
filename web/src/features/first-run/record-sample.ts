import { client } from '../../api/client.ts'
import { localValues } from '../../browser-storage.ts'

const ID = 'sample-lisbon'
const DAY_MS = 86_400_000
/** Prefilled in the composer; the answer needs messages from twelve and from two days ago. */
const QUESTION = 'Where could we have dinner near our hotel?'

/** Days ago, role, text. Messages get fixed ids, so that recording the sample twice adds nothing. */
const SAMPLE: readonly (readonly [number, 'user' | 'assistant', string])[] = [
  [
    12,
    'user',
    'We are going to Lisbon from 4 to 9 May, my sister Ines and I. We are both vegetarian. How is the weather then?',
  ],
  [
    12,
    'assistant',
    'Early May in Lisbon is mild and mostly dry:\n\n| | high | low | rain |\n| --- | ---: | ---: | ---: |\n| 4 May | 21 °C | 13 °C | 10 % |\n| 6 May | 23 °C | 14 °C | 5 % |\n| 9 May | 22 °C | 14 °C | 20 % |\n\nTake a light jacket for the evenings: the wind comes from the river.',
  ],
  [12, 'user', 'Our hotel is in Alfama, close to the cathedral. My budget is 900 euros for the two of us.'],
  [
    12,
    'assistant',
    'With **900 €** for five nights you can plan like this:\n\n1. about 110 € a night for the room,\n2. 35 € a day for food, if lunch is light,\n3. the rest for trams, museums and one evening of Fado.\n\nThe 24 hour ticket for trams and ferries costs about 7 € and pays from the third ride on.',
  ],
  [10, 'user', 'I prefer short answers, please. Which day trips are worth it?'],
  [
    10,
    'assistant',
    'Sintra for the palaces (40 minutes by train from Rossio), Cascais for the sea. Go to Sintra on a weekday, before ten.',
  ],
  [10, 'user', 'Ines is afraid of heights. Does that rule anything out?'],
  [
    10,
    'assistant',
    'The Moorish castle in Sintra: its walls are narrow and open. Quinta da Regaleira and the Pena gardens are fine.',
  ],
  [
    6,
    'user',
    'By the way, I work on a small script that sums up what we spend. How do I group by day in SQL?',
  ],
  [
    6,
    'assistant',
    'Like this:\n\n```sql\nselect date(spent_at) as day, sum(euros) as total\nfrom expense\ngroup by day\norder by day;\n```\n\nThe average per day is $\\bar{x} = \\frac{1}{n} \\sum_{i=1}^{n} x_i$, or `avg(total)` around that query.',
  ],
  [2, 'user', 'Change of plan: our hotel is in Chiado now, at the square with the statue of Camões.'],
  [
    2,
    'assistant',
    'Good choice: Chiado is flatter, and the train to Cascais leaves ten minutes downhill, at Cais do Sodré.',
  ],
]

export async function recordSample(): Promise<string> {
  const now = Date.now()
  await client.createConversation({ id: ID, title: 'A week in Lisbon', tags: ['travel', 'sample'] })
  const messages = SAMPLE.map(([daysAgo, role, content], i) => ({
    id: `${ID}-${i + 1}`,
    role,
    content,
    createdAt: new Date(now - daysAgo * DAY_MS + i * 60_000).toISOString(),
  }))
  await client.conversation(ID).record(...messages)
  if (localValues.get(`draft.${ID}`) === undefined) localValues.set(`draft.${ID}`, QUESTION)
  return ID
}
