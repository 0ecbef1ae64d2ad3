"""The parts of engines: batches of questions, networks, slots for many requests, chat templates.

engine.py         questions and answers in batches, a model that reads heads and bodies, its card
slots.py          many requests at once through one network
network.py        the network behind `tiny`, on onnxruntime; hub_network.py: one of transformers
chat_template.py  the template of a model that has none
"""
