// Metrics in the Prometheus text format. Small on purpose: counters, gauges and histograms with labels.

type Labels = Readonly<Record<string, string>>

interface Series {
  readonly labels: Labels
  value: number
}

interface Metric {
  render(): readonly string[]
}

/** A counter or a gauge. */
export class ValueMetric implements Metric {
  readonly #head: readonly string[]
  readonly #name: string
  readonly #series = new Map<string, Series>()

  constructor(name: string, type: 'counter' | 'gauge', help: string) {
    this.#name = name
    this.#head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
  }

  add(amount: number, labels: Labels = {}): void {
    this.#at(labels).value += amount
  }

  set(value: number, labels: Labels = {}): void {
    this.#at(labels).value = value
  }

  render(): readonly string[] {
    const lines = [...this.#series.values()].map(
      ({ labels, value }) => `${this.#name}${renderLabels(labels)} ${value}`,
    )
    return [...this.#head, ...lines]
  }

  #at(labels: Labels): Series {
    const key = JSON.stringify(labels)
    const known = this.#series.get(key)
    if (known !== undefined) return known
    const series = { labels, value: 0 }
    this.#series.set(key, series)
    return series
  }
}

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Distribution {
  readonly labels: Labels
  readonly counts: number[]
  sum: number
  count: number
}

export class Histogram implements Metric {
  readonly #head: readonly string[]
  readonly #name: string
  readonly #series = new Map<string, Distribution>()

  constructor(name: string, help: string) {
    this.#name = name
    this.#head = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
  }

  observe(seconds: number, labels: Labels = {}): void {
    const key = JSON.stringify(labels)
    const series = this.#series.get(key) ?? { labels, counts: BUCKETS.map(() => 0), sum: 0, count: 0 }
    this.#series.set(key, series)
    const bucket = BUCKETS.findIndex((most) => seconds <= most)
    if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.sum += seconds
    series.count += 1
  }

  render(): readonly string[] {
    return [...this.#head, ...[...this.#series.values()].flatMap((series) => this.#renderSeries(series))]
  }

  #renderSeries({ labels, counts, sum, count }: Distribution): readonly string[] {
    let below = 0
    const buckets = BUCKETS.map((most, i) => {
      below += counts[i] ?? 0
      return `${this.#name}_bucket${renderLabels({ ...labels, le: String(most) })} ${below}`
    })
    return [
      ...buckets,
      `${this.#name}_bucket${renderLabels({ ...labels, le: '+Inf' })} ${count}`,
      `${this.#name}_sum${renderLabels(labels)} ${sum}`,
      `${this.#name}_count${renderLabels(labels)} ${count}`,
    ]
  }
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** All metrics of a process, in the order in which they were created. */
export class Registry {
  readonly #metrics: Metric[] = []

  counter(name: string, help: string): ValueMetric {
    return this.#add(new ValueMetric(name, 'counter', help))
  }

  gauge(name: string, help: string): ValueMetric {
    return this.#add(new ValueMetric(name, 'gauge', help))
  }

  histogram(name: string, help: string): Histogram {
    return this.#add(new Histogram(name, help))
  }

  render(): string {
    return `${this.#metrics.flatMap((metric) => metric.render()).join('\n')}\n`
  }

  #add<One extends Metric>(metric: One): One {
    this.#metrics.push(metric)
    return metric
  }
}
