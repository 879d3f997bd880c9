import { expect, test } from 'vitest'
import { Registry } from './registry.ts'

test('metrics are written in the Prometheus text format with labels escaped', () => {
  const registry = new Registry()
  const requests = registry.counter('requests_total', 'Requests.')
  requests.add(1, { route: '/a' })
  requests.add(2, { route: 'with "quotes" \\ and\nlines' })
  requests.add(1, { route: '/a' })
  registry.gauge('bytes', 'Size.').set(7)
  expect(registry.render()).toBe(
    [
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{route="/a"} 2',
      'requests_total{route="with \\"quotes\\" \\\\ and\\nlines"} 2',
      '# HELP bytes Size.',
      '# TYPE bytes gauge',
      'bytes 7',
      '',
    ].join('\n'),
  )
})

test('histogram buckets are cumulative', () => {
  const registry = new Registry()
  const seconds = registry.histogram('seconds', 'Time.')
  for (const value of [0.0005, 0.02, 0.02, 99]) seconds.observe(value)
  const lines = registry.render().split('\n')
  expect(lines).toContain('seconds_bucket{le="0.001"} 1')
  expect(lines).toContain('seconds_bucket{le="0.01"} 1')
  expect(lines).toContain('seconds_bucket{le="0.025"} 3')
  expect(lines).toContain('seconds_bucket{le="10"} 3')
  expect(lines).toContain('seconds_bucket{le="+Inf"} 4')
  expect(lines).toContain('seconds_count 4')
})
