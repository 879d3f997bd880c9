export interface Customer {
  readonly name: string
  readonly region: string
  readonly revenue: number
}

export interface Company {
  /** Also the id of the page. */
  readonly id: string
  readonly title: string
  readonly file: { readonly id: string; readonly name: string }
  readonly customers: readonly Customer[]
}

const REGIONS = ['North', 'South', 'West', 'East']

const toCustomers = (revenues: Readonly<Record<string, number>>): readonly Customer[] =>
  Object.entries(revenues).map(([name, revenue], i) => ({
    name,
    region: REGIONS[i % REGIONS.length] ?? '',
    revenue,
  }))

export const COMPANIES: readonly Company[] = [
  {
    id: 'acme',
    title: 'Acme',
    file: { id: 'acme-2026', name: 'acme-2026.csv' },
    customers: toCustomers({
      'Alder & Sons': 184_200,
      Brightwater: 97_450,
      'Cobalt Works': 312_900,
      'Dune Coffee': 41_300,
      'Elm Street Dental': 66_080,
      'Ferrow Logistics': 258_700,
      Glasshouse: 143_600,
      'Harbour Lane': 205_150,
    }),
  },
  {
    id: 'globex',
    title: 'Globex',
    file: { id: 'globex-2026', name: 'globex-2026.csv' },
    customers: toCustomers({
      'Iris Textiles': 88_900,
      'Juniper Labs': 274_350,
      'Kestrel Air': 191_020,
      'Lark & Daughters': 57_600,
      'Moss Interiors': 120_480,
      'Northgate Foods': 301_775,
      'Ostler Bikes': 23_940,
    }),
  },
]

/** The largest first, as many as are wanted. */
export const topCustomers = ({ customers }: Company, count: number): readonly Customer[] =>
  customers.toSorted((one, other) => other.revenue - one.revenue).slice(0, count)

export const toCsv = ({ customers }: Company): string =>
  [
    'customer,region,revenue',
    ...customers.map(({ name, region, revenue }) => `${name},${region},${revenue}`),
  ].join('\n')
