"""Code that several backends share: server addresses, concurrent requests, the OpenAI client."""
