// How the web app scrolls through 10,000 chats and a chat of 10,000 messages, in a real Chromium: the number of elements
// on the page, and main-thread time per frame. Fails if the page grows with the length of the list. Frame times depend
// on the machine and its load; those of an empty page in the same run are printed for comparison.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { setUp } from './setup.mjs'
import { requireChromium } from './system-programs.mjs'

const COUNT = 10_000
const MOST_ELEMENTS = 2500
const FRAMES = 600
const PIXELS_PER_FRAME = 120

setUp()
const { openMemory } = await import('../dist/index.js')
const { startServer } = await import('../dist/server/start-server.js')

async function fill(memory) {
  for (let i = 0; i < COUNT; i++)
    await memory.conversations.getOrCreate({ id: `chat-${i}`, title: `Chat number ${i}` })
  const long = memory.conversation('long')
  for (let first = 0; first < COUNT; first += 1000) {
    const messages = Array.from({ length: 1000 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `Line ${first + i}. ${'Some **more** words of it. '.repeat(1 + (i % 12))}`,
    }))
    await long.record(messages)
  }
}

/** Scrolls a number of pixels per frame; returns frame times and the largest number of elements. */
const scroll = ([selector, frames, pixels]) =>
  new Promise((resolve) => {
    const element = document.querySelector(selector)
    const times = []
    let elements = 0
    let before = performance.now()
    const step = (now) => {
      times.push(now - before)
      before = now
      element.scrollTop += pixels
      if (times.length % 10 === 0) elements = Math.max(elements, document.querySelectorAll('*').length)
      if (times.length < frames) requestAnimationFrame(step)
      else resolve({ times: times.slice(1), elements })
    }
    requestAnimationFrame(step)
  })

async function measure(page, name, { selector, pixels }) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const busyMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * metrics.find((metric) => metric.name === 'TaskDuration').value
  }
  const before = await busyMs()
  const { times, elements } = await page.evaluate(scroll, [selector, FRAMES, pixels])
  const perFrame = ((await busyMs()) - before) / FRAMES
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1)
  console.log(
    `${name}: at most ${elements} elements; frames of ${at(0.5)} ms, 95 % within ${at(0.95)} ms; the page busy for ${perFrame.toFixed(1)} ms of each`,
  )
  await session.detach()
  return elements
}

const EMPTY = `document.body.innerHTML = '<div id="empty" style="height: 600px; overflow: auto"><div style="height: 200000px"></div></div>'`

const folder = mkdtempSync(join(tmpdir(), 'recollect-scroll-'))
// This data need not survive a power cut.
const memory = await openMemory(join(folder, 'memory.db'), { durability: 'relaxed' })
const server = await startServer(memory, { port: 0 })
const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--no-sandbox'] })
try {
  await fill(memory)
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto('about:blank')
  await page.evaluate(EMPTY)
  await measure(page, 'an empty page', { selector: '#empty', pixels: PIXELS_PER_FRAME })
  await page.goto(`${server.url}/c/long`)
  await page.locator('.message').last().waitFor()
  await page.waitForTimeout(1500)
  const messages = await measure(page, 'a chat of 10,000 messages', {
    selector: '.messages',
    pixels: -PIXELS_PER_FRAME,
  })
  const chats = await measure(page, '10,000 chats', { selector: '.sidebar-list', pixels: PIXELS_PER_FRAME })
  if (Math.max(messages, chats) > MOST_ELEMENTS) {
    console.error(`more than ${MOST_ELEMENTS} elements: the page grows with what there is to scroll through`)
    process.exitCode = 1
  }
} finally {
  await browser.close()
  await server.close()
  await memory.close()
  rmSync(folder, { recursive: true, force: true })
}
