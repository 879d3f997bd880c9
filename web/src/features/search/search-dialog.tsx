import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { plural } from '../../format.ts'
import { addressOf, navigate } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { conversationList } from '../conversations/conversation-list.ts'
import { titleOf } from '../conversations/title-of.ts'
import type { Found, SearchFilter } from './found.ts'
import { FoundList } from './found-list.tsx'
import { searchEverything } from './search-everything.ts'
import './search.css'

interface SearchDialogProps {
  readonly conversationId: string | undefined
  readonly onClose: () => void
}

const FILTERS: readonly (readonly [SearchFilter, string])[] = [
  ['all', 'Everything'],
  ['chats', 'Chats'],
  ['messages', 'Messages'],
  ['knowledge', 'Memory'],
]

export function SearchDialog({ conversationId, onClose }: SearchDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [words, setWords] = useState('')
  const [filter, setFilter] = useState<SearchFilter>('all')
  const [isHereOnly, setHereOnly] = useState(false)
  const [at, setAt] = useState(0)
  const listId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const search = useSearch({ words, filter, conversationId: isHereOnly ? conversationId : undefined })
  const found = words.trim() === '' ? startingPoints() : (search.found ?? [])
  const open = (one: Found | undefined) => {
    if (one === undefined) return
    dialog.current?.close()
    navigate(one.to)
  }
  const press = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
    if (event.key === 'Enter') open(found[at])
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to !== undefined) setAt((to + found.length) % Math.max(found.length, 1))
  }
  const type = (text: string) => {
    setWords(text)
    setAt(0)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it already
    <dialog
      ref={dialog}
      className="dialog search"
      aria-label="Search everything"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className="search-head">
        <Icon name="search" />
        <input
          type="search"
          role="combobox"
          aria-label="Search everything"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[at] && `${listId}-${at}`}
          placeholder="Search chats, messages and memory"
          value={words}
          onChange={(event) => type(event.target.value)}
          onKeyDown={press}
        />
        {search.isBusy && <span className="spinner" />}
      </div>
      <Filters
        filter={filter}
        onFilter={setFilter}
        isHereOnly={isHereOnly}
        onHereOnly={conversationId === undefined ? undefined : setHereOnly}
      />
      <FoundList id={listId} found={found} at={at} onPoint={setAt} onOpen={open} />
      <SearchFoot words={words} search={search} />
    </dialog>
  )
}

interface FiltersProps {
  readonly filter: SearchFilter
  readonly onFilter: (filter: SearchFilter) => void
  readonly isHereOnly: boolean
  /** Undefined if no chat is open. */
  readonly onHereOnly: ((isHereOnly: boolean) => void) | undefined
}

function Filters({ filter, onFilter, isHereOnly, onHereOnly }: FiltersProps) {
  return (
    <fieldset className="search-filters">
      <legend className="visually-hidden">Search in</legend>
      {FILTERS.map(([name, text]) => (
        <button
          key={name}
          type="button"
          className="filter-chip"
          aria-pressed={filter === name}
          onClick={() => onFilter(name)}
        >
          {text}
        </button>
      ))}
      {onHereOnly !== undefined && (
        <button
          type="button"
          className="filter-chip filter-chip-here"
          aria-pressed={isHereOnly}
          onClick={() => onHereOnly(!isHereOnly)}
        >
          This chat only
        </button>
      )}
    </fieldset>
  )
}

function SearchFoot({
  words,
  search,
}: {
  readonly words: string
  readonly search: ReturnType<typeof useSearch>
}) {
  const isEmpty = words.trim() !== '' && search.found?.length === 0 && !search.isBusy
  return (
    <>
      {isEmpty && (
        <p className="search-none">No results for “{words.trim()}”. Try fewer or different words.</p>
      )}
      {search.error !== undefined && <p className="search-none">{search.error}</p>}
      <p className="visually-hidden" role="status">
        {search.isBusy || search.found === undefined ? '' : `${plural(search.found.length, 'result')}`}
      </p>
      <footer className="search-foot" aria-hidden="true">
        <span>
          <kbd className="kbd">↑</kbd> <kbd className="kbd">↓</kbd> select
        </span>
        <span>
          <kbd className="kbd">↵</kbd> open
        </span>
        <span>
          <kbd className="kbd">Esc</kbd> close
        </span>
      </footer>
    </>
  )
}

const PAGES: readonly Found[] = [
  { key: 'new', group: 'Go to', icon: 'plus', title: 'New chat', to: '/' },
  { key: 'incognito', group: 'Go to', icon: 'ghost', title: 'New chat without memory', to: '/#incognito' },
  { key: 'memory', group: 'Go to', icon: 'memory', title: 'Memory', to: '/memory' },
  { key: 'analytics', group: 'Go to', icon: 'chart', title: 'Analytics', to: '/analytics' },
  { key: 'import', group: 'Go to', icon: 'upload', title: 'Import', to: '/import' },
  { key: 'settings', group: 'Go to', icon: 'settings', title: 'Settings', to: '/settings' },
]

/** Shown before anything is typed: recent chats and pages. */
function startingPoints(): readonly Found[] {
  const recent = conversationList
    .get()
    .recent.slice(0, 5)
    .map(
      (conversation): Found => ({
        key: `chat ${conversation.id}`,
        group: 'Recent chats',
        icon: 'chat',
        title: titleOf(conversation),
        at: conversation.lastUsedAt,
        to: addressOf(conversation.id),
      }),
    )
  return [...recent, ...PAGES]
}

interface Search {
  readonly words: string
  readonly filter: SearchFilter
  readonly conversationId: string | undefined
}

interface SearchState {
  /** Undefined until the first search. */
  readonly found: readonly Found[] | undefined
  readonly isBusy: boolean
  readonly error: string | undefined
}

/** Debounce while typing; too short to notice. */
const PAUSE_MS = 120

function useSearch({ words, filter, conversationId }: Search): SearchState {
  const [state, setState] = useState<SearchState>({ found: undefined, isBusy: false, error: undefined })
  const trimmed = words.trim()
  useEffect(() => {
    if (trimmed === '') {
      setState({ found: undefined, isBusy: false, error: undefined })
      return undefined
    }
    const stop = new AbortController()
    const { signal } = stop
    setState((before) => ({ ...before, isBusy: true }))
    const show = (found: readonly Found[], error?: string) => {
      if (!signal.aborted) setState({ found, isBusy: false, error })
    }
    const timer = setTimeout(() => {
      searchEverything({ words: trimmed, filter, conversationId, signal }).then(
        (found) => show(found),
        (error: unknown) => show([], error instanceof Error ? error.message : String(error)),
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [trimmed, filter, conversationId])
  return state
}
