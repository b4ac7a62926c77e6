import { useEffect, useRef, useState } from 'react';
import { SearchInput } from './search-input.tsx';

const TYPING_MS = 250;

interface TypedSearchProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly width?: number | string;
}

/** A search field that passes typing on after a pause, so that not each letter asks the server. */
export function TypedSearch({ value, onChange, label, width }: TypedSearchProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const report = useRef(onChange);
  report.current = onChange;
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      report.current(text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <SearchInput value={text} onChange={setText} label={label} width={width} />;
}
