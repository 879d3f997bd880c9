export interface Customer {
  readonly name: string
  readonly region: string
  readonly revenue: number
}

export const FILE = { id: 'revenue-2026', name: 'Revenue 2026.csv' }

export const CUSTOMERS: readonly Customer[] = [
  { name: 'Alder & Sons', region: 'North', revenue: 184_200 },
  { name: 'Brightwater', region: 'South', revenue: 97_450 },
  { name: 'Cobalt Works', region: 'North', revenue: 312_900 },
  { name: 'Dune Coffee', region: 'West', revenue: 41_300 },
  { name: 'Elm Street Dental', region: 'East', revenue: 66_080 },
  { name: 'Ferrow Logistics', region: 'West', revenue: 258_700 },
  { name: 'Glasshouse', region: 'South', revenue: 143_600 },
  { name: 'Harbour Lane', region: 'East', revenue: 205_150 },
  { name: 'Iris Textiles', region: 'South', revenue: 88_900 },
  { name: 'Juniper Labs', region: 'North', revenue: 274_350 },
]

/** The largest first, as many as are wanted. */
export const topCustomers = (count: number): readonly Customer[] =>
  CUSTOMERS.toSorted((one, other) => other.revenue - one.revenue).slice(0, count)
