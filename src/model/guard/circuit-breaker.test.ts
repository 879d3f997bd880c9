import { expect, test } from 'vitest'
import { CircuitBreaker } from './circuit-breaker.ts'

const options = { circuitFailures: 3, circuitRestMs: 1000 }

function openedAt(now: number): CircuitBreaker {
  const circuit = new CircuitBreaker(options)
  for (let i = 0; i < 3; i++) circuit.fail(now)
  return circuit
}

test('consecutive failures open it; failures with a success in between do not', () => {
  const circuit = new CircuitBreaker(options)
  circuit.fail(0)
  circuit.fail(0)
  circuit.close()
  circuit.fail(0)
  circuit.fail(0)
  expect(circuit.refuse(0)).toBeUndefined()
  circuit.fail(0)
  expect(circuit.refuse(400)).toBe(600)
})

test('after the rest period, one call may try, and the others wait for the outcome', () => {
  const circuit = openedAt(0)
  expect(circuit.refuse(1000)).toBeUndefined()
  expect(circuit.refuse(1000)).toBe(0)
  circuit.close()
  expect(circuit.refuse(1000)).toBeUndefined()
  expect(circuit.refuse(1000)).toBeUndefined()
})

test('a failed trial call opens it again for a whole rest period', () => {
  const circuit = openedAt(0)
  circuit.refuse(1000)
  circuit.fail(1500)
  expect(circuit.refuse(2000)).toBe(500)
})

test('a caller that leaves before the outcome passes the trial to the next', () => {
  const circuit = openedAt(0)
  circuit.refuse(1000)
  circuit.leave()
  expect(circuit.refuse(1001)).toBeUndefined()
})
