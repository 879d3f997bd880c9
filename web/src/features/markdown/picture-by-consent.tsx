import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { placeOfPicture } from './place-of-picture.ts'

interface PictureProps {
  readonly address: string
  readonly about: string
}

/** Shown once, a picture stays in sight, also when its row was out of it. */
const wanted = new Set<string>()

/**
 * Nothing is loaded or drawn before somebody wants it. A picture elsewhere is never loaded into the page: that would
 * tell its server that this was read. It is a link, for whoever wants to go there.
 */
export function PictureByConsent({ address, about }: PictureProps) {
  const [isShown, setShown] = useState(wanted.has(address))
  const place = placeOfPicture(address, location.origin)
  if (place.kind === 'nowhere') return <span className="picture-missing">{about || 'picture'}</span>
  if (place.kind === 'elsewhere') return <Elsewhere address={place.address} about={about} />
  if (isShown) return <img className="picture" src={place.address} alt={about} />
  const show = () => {
    wanted.add(address)
    setShown(true)
  }
  return (
    <button type="button" className="picture-link" onClick={show}>
      <Icon name="image" size={16} />
      <span>{about || 'Picture'}</span>
      <span className="picture-host">show it</span>
    </button>
  )
}

const Elsewhere = ({ address, about }: PictureProps) => (
  <a
    className="picture-link"
    href={address}
    target="_blank"
    rel="noopener noreferrer nofollow"
    title={`Not loaded: ${new URL(address).host} would learn that you read this. Opens ${address}`}
  >
    <Icon name="image" size={16} />
    <span>{about || 'Picture'}</span>
    <span className="picture-host">on {new URL(address).host}, not loaded</span>
    <Icon name="external" size={14} />
  </a>
)
