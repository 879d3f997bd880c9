const LINES = [
  'I need a hotel in Lisbon for two nights in May, close to the river. I am vegetarian.',
  'The Tejo Palace has a double room with a view of the river for 120 euros a night.',
  'Does the hotel have breakfast with vegetarian dishes?',
  'Yes, breakfast at the Tejo Palace is included, with vegetarian dishes.',
]

/** Enough for a summary and for a block. */
export const STEPS_TALK = Array.from({ length: 15 }, (_, index) => ({
  id: `m${index}`,
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `${LINES[index % LINES.length]} This is turn ${index}.`,
  createdAt: new Date(Date.UTC(2026, 0, 5, 9, index)).toISOString(),
}))
