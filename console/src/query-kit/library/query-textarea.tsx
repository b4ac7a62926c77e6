import { Textarea, type TextareaProps } from '@mantine/core';
import type { Ref } from 'react';
import styles from './query-text.module.css';

interface QueryTextareaProps
  extends Pick<TextareaProps, 'label' | 'description' | 'value' | 'minRows' | 'maxRows'> {
  readonly onChange: (text: string) => void;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** A query inside a form: grows with its lines and is never empty. */
export function QueryTextarea({ onChange, ...rest }: QueryTextareaProps) {
  return (
    <Textarea
      {...rest}
      classNames={{ input: styles.text }}
      onChange={(event) => onChange(event.currentTarget.value)}
      required
      autosize
    />
  );
}
