// Stroke icons on a 24×24 grid, in the colour of the surrounding text.

const PATHS = {
  archive: 'M4 8v11h16V8M3 4h18v4H3zM10 12h4',
  attach:
    'M20 11.5 12.2 19.3a5 5 0 0 1-7-7l8.4-8.4a3.4 3.4 0 0 1 4.8 4.8L10 17a1.7 1.7 0 0 1-2.4-2.4l7.3-7.3',
  back: 'M15 5l-7 7 7 7',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
  book: 'M5 4.5A2 2 0 0 1 7 3h12v15H7a2 2 0 0 0-2 2zm0 15A2 2 0 0 0 7 21h12v-3',
  chart: 'M4 20V4M4 20h16M9 16v-5M14 16V7M19 16v-3',
  chat: 'M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-5 4v-4A2 2 0 0 1 4 14z',
  check: 'M5 12.5l4.5 4.5L19 7',
  chevron: 'M6 9l6 6 6-6',
  clock: 'M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  down: 'M12 5v14M6 13l6 6 6-6',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  fork: 'M6 4v6a4 4 0 0 0 4 4h4M6 4v16M18 14l-4-4M18 14l-4 4',
  ghost: 'M5 20V11a7 7 0 0 1 14 0v9l-2.4-2-2.3 2-2.3-2-2.3 2-2.3-2zM9.5 11v.01M14.5 11v.01',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9v.01',
  info: 'M12 11v5M12 8v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  key: 'M14.5 9.5a4.5 4.5 0 1 1-3-4.2 4.5 4.5 0 0 1 3 4.2zM13.2 12.2 20 19v2h-3v-2h-2v-2h-2',
  memory: 'M12 4a6 6 0 0 0-3.5 10.9V17h7v-2.1A6 6 0 0 0 12 4zM9.5 20h5',
  list: 'M8 6h12M8 12h12M8 18h12M4 6v.01M4 12v.01M4 18v.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z',
  more: 'M5.5 12v.01M12 12v.01M18.5 12v.01',
  offline:
    'M4 4l16 16M8.5 15.5a5 5 0 0 1 6.5-.5M5 12a10 10 0 0 1 4-2.6M2.5 8.5A15 15 0 0 1 6.6 6M12 5c3.7 0 7 1.3 9.5 3.5M15.5 10A10 10 0 0 1 19 12M12 19v.01',
  panel: 'M4 5h16v14H4zM14.5 5v14',
  person: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM4.5 20a7.5 7.5 0 0 1 15 0',
  pin: 'M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v5',
  place:
    'M12 21s-6.5-5.6-6.5-11a6.5 6.5 0 0 1 13 0c0 5.4-6.5 11-6.5 11zM14.2 10a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0z',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 5v5h-5M4 19v-5h5M19 10a7.5 7.5 0 0 0-13.5-2.5M5 14a7.5 7.5 0 0 0 13.5 2.5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  send: 'M12 19V5M6 11l6-6 6 6',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM19 12l2-1.5-2-3.5-2.4.8-1.5-.9L14.5 4h-5l-.6 2.9-1.5.9L5 7l-2 3.5L5 12l-2 1.5L5 17l2.4-.8 1.5.9.6 2.9h5l.6-2.9 1.5-.9 2.4.8 2-3.5z',
  spark: 'M12 3l1.8 5.7L19.5 10.5l-5.7 1.8L12 18l-1.8-5.7L4.5 10.5l5.7-1.8zM19 16v4M17 18h4',
  stop: 'M7 7h10v10H7z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  tag: 'M4 4h7l9 9-7 7-9-9zM8.5 8.5v.01',
  thumbDown: 'M7 14V4h10l3 8v2h-6l1 6h-2l-5-6zM7 4H4v10h3',
  thumbUp: 'M7 10v10h10l3-8v-2h-6l1-6h-2l-5 6zM7 20H4V10h3',
  topics: 'M3 17c3-8 5-11 7-11s2 7 4 7 3-4 7-6M3 20h18',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  upload: 'M12 16V5M7 9l5-5 5 5M4 20h16',
  warn: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.01',
} as const

export type IconName = keyof typeof PATHS

interface IconProps {
  readonly name: IconName
  readonly size?: number
}

export function Icon({ name, size = 18 }: IconProps) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.6 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
