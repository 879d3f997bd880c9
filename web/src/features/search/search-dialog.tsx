import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { plural } from '../../format.ts'
import { navigate } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Found, SearchFilter } from './found.ts'
import { FoundList } from './found-list.tsx'
import { startingPoints } from './starting-points.ts'
import { useSearch } from './use-search.ts'
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
