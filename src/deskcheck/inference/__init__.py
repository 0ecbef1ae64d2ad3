"""The parts from which engines are built. An engine runs a model on this machine.

engine.py         interface of an engine, questions to it, a model with its cache, its card
slots.py          many requests at once through one network
network.py        the network behind `tiny`, on onnxruntime
hub_network.py    a network of the library transformers
chat_template.py  a template for a model that has none
"""
