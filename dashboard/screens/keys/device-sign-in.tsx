import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Button, TextInput } from '../../ui/controls.ts';
import { screenTexts } from './text.ts';
import styles from './device-sign-in.module.css';

/**
 * Leads to the page of the server that shows what the device asks for: nobody approves a code alone, and the key that
 * the device gets outlives this session.
 */
export function DeviceSignIn(): ReactNode {
  const text = useText(screenTexts).device;
  const [error, setError] = useState<string | null>(null);
  return (
    <section className={styles.device} aria-labelledby="device">
      <h2 id="device">{text.title}</h2>
      <p>{text.about}</p>
      <form
        action="/device"
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          const code = new FormData(event.currentTarget).get('user_code');
          if (typeof code === 'string' && code.trim() !== '') return;
          event.preventDefault();
          setError(text.missing);
          event.currentTarget.querySelector('input')?.focus();
        }}
      >
        <TextInput
          name="user_code"
          label={text.code}
          placeholder="XXXX-XXXX"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          error={error}
          onChange={() => setError(null)}
        />
        <Button type="submit" variant="default">
          {text.submit}
        </Button>
      </form>
    </section>
  );
}
